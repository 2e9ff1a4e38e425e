import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { InputBlock } from '../../../src/block-kit/inputs.ts'
import type { ModalView } from '../../../src/block-kit/view.ts'
import { viewProblems } from '../../support/slack-rules.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { apiKeys } from '../../../src/operations/keys/keys-list.ts'
import type { Issue, Operation } from '../../../src/operations/declaration/operation.ts'
import { readPlace } from '../../../src/slack/form/form-place.ts'
import { formView } from '../../../src/slack/form/form-view.ts'
import { checkContext } from '../../support/operation-context.ts'
import { sample, sampleList } from '../../support/sample-operation.ts'

const { zones } = checkContext()

function view(step: number, values: RawValues = {}, issues: readonly Issue[] = []): ModalView {
  const drawn = formView({ operation: sample, step, values, issues, changeId: 'c1', zones })
  expect(viewProblems(drawn)).toEqual([])
  return drawn
}

const inputs = (drawn: ModalView) => drawn.blocks.filter((block): block is InputBlock => block.type === 'input')
const input = (drawn: ModalView, field: string) =>
  inputs(drawn).find(({ block_id }) => block_id.split(':')[0] === field)!
const said = (drawn: ModalView) => JSON.stringify(drawn.blocks.filter(({ type }) => type !== 'input'))

describe('a page of a form', () => {
  it('says where the answer comes, if it was opened outside of any channel', () => {
    const drawn = (operation: Operation, step: number, channelId?: string) =>
      said(formView({ operation, step, values: {}, changeId: 'c1', channelId, zones }))
    expect(drawn(apiKeys, 0)).toContain('The answer comes under Messages of this app.')
    expect(drawn(apiKeys, 0, 'C1')).not.toContain('Messages')
    expect(drawn(sample, 1)).not.toContain('Messages')
  })

  it('has the fields its step shows for what was given, in that order', () => {
    const names = (values: RawValues) => inputs(view(0, values)).map(({ block_id }) => block_id)
    expect(names({})).toEqual(['zone:dns', 'type', 'value'])
    expect(names({ type: 'MX' })).toEqual(['zone:dns', 'type', 'priority', 'value'])
  })

  it('remembers its draft and its step, and nothing that was given', () => {
    const drawn = view(2, { variables: 'TOKEN=secret', value: 'x' })
    expect(readPlace(drawn.private_metadata!)).toEqual({ change: 'c1', step: 2 })
    expect(drawn.private_metadata).not.toContain('secret')
  })

  it('says where one is and what the button does', () => {
    expect(said(view(0))).toContain('Step 1 of 3')
    expect([0, 1, 2].map((step) => view(step).submit?.text)).toEqual(['Next', 'Next', 'Review'])
    expect([0, 1, 2].map((step) => said(view(step)).includes('form_back'))).toEqual([false, true, true])
    expect(view(1).title.text).toBe('Routing')
  })

  it('escapes what the declaration says in plain text', () => {
    expect(said(view(0))).toContain('What the record &lt;is&gt; &amp; does.')
  })

  it('redraws on the fields the step names, and on no others', () => {
    const dispatching = inputs(view(0, { type: 'MX' })).filter((block) => block.dispatch_action === true)
    expect(dispatching.map(({ block_id }) => block_id)).toEqual(['type'])
  })

  it('requires what the operation requires', () => {
    expect(inputs(view(0, { type: 'MX' })).map(({ optional }) => optional)).toEqual([false, false, true, false])
  })

  it('requires what these values need, and lets a step name it', () => {
    const named = (values: RawValues) => ({ priority: { needed: values['type'] === 'MX', label: 'Preference' } })
    const [first, ...others] = sample.form!
    const operation = { ...sample, form: [{ ...first!, wording: named }, ...others] }
    const drawn = formView({ operation, step: 0, values: { type: 'MX' }, changeId: 'c1', zones })
    expect(input(drawn, 'priority')).toMatchObject({ optional: false, label: { text: 'Preference' } })
    expect(input(drawn, 'value')).toMatchObject({ optional: false, label: { text: 'Value' } })
  })

  it('has no page beyond the last, and none for an operation without a form', () => {
    expect(() => view(3)).toThrow(RangeError)
    expect(() => formView({ operation: sampleList, step: 0, values: {}, changeId: 'c1', zones })).toThrow(RangeError)
  })
})

describe('what was given before', () => {
  it.each([
    [0, 'value', 'a <b>', { initial_value: 'a <b>' }],
    [0, 'type', 'mx', { initial_option: { value: 'MX' } }],
    [0, 'type', 'Mail', { initial_option: { value: 'MX' } }],
    [0, 'zone', 'SHOP', { initial_option: { value: '301', text: { text: 'shop (301)' } } }],
    [
      0,
      'zone',
      '9007199254740993',
      { initial_option: { value: '9007199254740993', text: { text: 'Zone 9007199254740993' } } },
    ],
    [1, 'weightFactor', '0.5', { initial_value: '0.5' }],
    [1, 'tags', 'v2, V3', { initial_options: [{ value: 'v2' }, { value: 'v3' }] }],
    [1, 'regions', ['v50', 'v7'], { initial_options: [{ value: 'v7' }, { value: 'v50' }] }],
    [1, 'accelerated', 'yes', { initial_option: { value: 'on' } }],
    [1, 'accelerated', 'off', { initial_option: { value: 'off' } }],
    [1, 'accelerated', undefined, { initial_option: { value: 'default' } }],
    [2, 'dryRun', 'on', { initial_options: [{ value: 'true' }] }],
  ])('fills in page %i, %s with %j', (step, field, given, expected) => {
    const drawn = view(step, given === undefined ? {} : { [field]: given })
    expect(input(drawn, field).element).toMatchObject(expected)
    expect(said(drawn)).not.toContain(':warning:')
  })

  it('does not show a secret again, and does not ask for it again either', () => {
    const drawn = view(2, { variables: 'TOKEN=hush' })
    expect(JSON.stringify(drawn)).not.toContain('hush')
    expect(input(drawn, 'variables')).toMatchObject({
      optional: true,
      element: { multiline: true, placeholder: { text: expect.stringContaining('Already given') } },
    })
    expect(JSON.stringify(view(2))).not.toContain('Already given')
  })

  it('leaves a box empty that was switched off', () => {
    expect(input(view(2, { dryRun: 'false' }), 'dryRun').element).not.toHaveProperty('initial_options')
  })

  it.each([
    [0, 'type', 'MXX', 'initial_option'],
    [0, 'zone', 'nobody', 'initial_option'],
    [1, 'weightFactor', '7', 'initial_value'],
    [1, 'weightFactor', 'heavy', 'initial_value'],
    [1, 'tags', 'v1,v99', undefined],
  ])('says on page %i that %s cannot be %s', (step, field, given, missing) => {
    const drawn = view(step, { [field]: given })
    if (missing !== undefined) expect(input(drawn, field).element).not.toHaveProperty(missing)
    expect(said(drawn)).toContain('cannot be used here')
  })

  it('never makes Slack refuse the view, whatever was typed', () => {
    const names = Object.keys(sample.fields)
    const short = fc.string({ unit: 'binary', maxLength: 50 })
    const anything = fc.oneof(
      short,
      short.map((end) => `${'x'.repeat(3_000 - end.length)}<${end}`),
    )
    const values = fc.dictionary(fc.constantFrom(...names), fc.oneof(anything, fc.array(anything, { maxLength: 3 })))
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 2 }), fc.array(anything, { maxLength: 3 }), (given, step, said) => {
        const issues = said.map((problem, index) => ({ field: names[index], problem }))
        expect(() => view(step, given, issues)).not.toThrow()
      }),
      { numRuns: 50 },
    )
  })
})

describe('what is wrong with it', () => {
  it('stands under its input', () => {
    const drawn = view(0, { value: 'x' }, [{ field: 'value', problem: 'Value <x> is too short.' }])
    const at = drawn.blocks.findIndex((block) => 'block_id' in block && block.block_id === 'value')
    expect(JSON.stringify(drawn.blocks[at + 1])).toContain('Value &lt;x&gt; is too short.')
  })

  it('stands on top where the page has no input for it', () => {
    const drawn = view(1, { value: 'x' }, [
      { field: 'value', problem: 'Value is too short.' },
      { field: undefined, problem: 'It does not fit together.' },
    ])
    expect(JSON.stringify(drawn.blocks.slice(0, 2))).toContain('Value is too short.')
    expect(JSON.stringify(drawn.blocks.slice(0, 2))).toContain('It does not fit together.')
  })

  it('is not said of what is merely still empty, here or later, but of what an earlier page lacks', () => {
    const issues = ['value', 'accelerated', 'variables'].map((field) => ({ field, problem: `${field} is needed.` }))
    expect(said(view(1, {}, issues))).toContain('value is needed.')
    expect(said(view(1, {}, issues))).not.toContain('accelerated is needed.')
    expect(said(view(1, {}, issues))).not.toContain('variables is needed.')
    expect(said(view(0, {}, issues))).not.toContain('is needed.')
  })
})
