import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { InputBlock } from '../../../src/block-kit/inputs.ts'
import type { ModalView } from '../../../src/block-kit/view.ts'
import { viewProblems } from '../../support/slack-rules.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { apiKeys } from '../../../src/operations/keys/keys-list.ts'
import type { Issue, Operation } from '../../../src/operations/declaration/operation.ts'
import { readPlace } from '../../../src/slack/form/form-place.ts'
import { fieldInput } from '../../../src/slack/form/field-input.ts'
import { formView } from '../../../src/slack/form/form-view.ts'
import type { Field } from '../../../src/operations/declaration/field.ts'
import { readText } from '../../support/read-text.ts'
import { checkContext } from '../../support/operation-context.ts'
import { sample, sampleList } from '../../support/sample-operation.ts'
import { anyCharacter } from '../../block-kit/foreign-text.ts'

const { zones } = checkContext()

function view(step: number, values: RawValues = {}, issues: readonly Issue[] = []): ModalView {
  const drawn = formView({ operation: sample, step, values, issues, change: { id: 'c1', channelId: undefined }, zones })
  expect(viewProblems(drawn)).toEqual([])
  return drawn
}

const inputs = (drawn: ModalView) => drawn.blocks.filter((block): block is InputBlock => block.type === 'input')
const input = (drawn: ModalView, field: string) =>
  inputs(drawn).find(({ block_id }) => block_id.split(':')[0] === field)!
const said = (drawn: ModalView) => JSON.stringify(drawn.blocks.filter(({ type }) => type !== 'input'))

describe('a page of a form', () => {
  const on = (field: string | undefined, problem: string): Issue => ({ field, problem })
  const EMPTY = ['value', 'accelerated', 'variables'].map((field) => on(field, `${field} is needed.`))
  it.each<[string, number, RawValues, readonly Issue[], string]>([
    [
      'the first, with nothing given, and nothing said of what is still empty',
      0,
      {},
      EMPTY,
      '═══ Record ═══\nStep 1 of 3\nWhat the record <is> & does.\nZone *: [Name, or type the numeric id ▾]\nType *: [ ▾]\nValue *: []\n  What the record says.\n[Skip to the review]\n[Cancel] [Next]',
    ],
    [
      'the first, for mail, with what is wrong under its input',
      0,
      { type: 'MX', value: 'x', zone: 'shop' },
      [on('value', 'Value <x> is too short.')],
      '═══ Record ═══\nStep 1 of 3\nWhat the record <is> & does.\nZone *: [shop (301) ▾]\nType *: [Mail ▾]\nPriority (optional): []\nValue *: [x]\n  What the record says.\n:warning: Value <x> is too short.\n[Skip to the review]\n[Cancel] [Next]',
    ],
    [
      'one with what an earlier page lacks, here and later',
      1,
      {},
      EMPTY,
      '═══ Routing ═══\n:warning: *Please look at this first*\n• value is needed.\nStep 2 of 3\nWeight (optional): []\nTags (optional): ☐ Value 1  ☐ Value 2  ☐ Value 3  ☐ Value 4  ☐ Value 5  ☐ Value 6  ☐ Value 7  ☐ Value 8  ☐ Value 9  ☐ Value 10\nRegions (optional): [ ▾]\nAccelerated (optional): ◉ CDN default  ○ On  ○ Off\n[Back] [Skip to the review]\n[Cancel] [Next]',
    ],
    [
      'one with what no input of it can be blamed for, on top',
      1,
      { value: 'x' },
      [on('value', 'Value is too short.'), on(undefined, 'It does not fit together.')],
      '═══ Routing ═══\n:warning: *Please look at this first*\n• Value is too short.\n• It does not fit together.\nStep 2 of 3\nWeight (optional): []\nTags (optional): ☐ Value 1  ☐ Value 2  ☐ Value 3  ☐ Value 4  ☐ Value 5  ☐ Value 6  ☐ Value 7  ☐ Value 8  ☐ Value 9  ☐ Value 10\nRegions (optional): [ ▾]\nAccelerated (optional): ◉ CDN default  ○ On  ○ Off\n[Back] [Skip to the review]\n[Cancel] [Next]',
    ],
    [
      'the last, with a secret that was given',
      2,
      { variables: 'TOKEN=hush', dryRun: 'on' },
      [],
      '═══ The rest ═══\nStep 3 of 3\nVariables (optional): [Already given and not shown. Leave this empty to keep it, or type it anew.]\nDry run (optional): ☑ Yes\n[Back]\n[Cancel] [Review]',
    ],
  ])('is %s', (_, step, values, issues, text) => {
    const drawn = view(step, values, issues)
    expect(readText(drawn)).toBe(text)
    expect(drawn).toMatchObject({ callback_id: 'form', notify_on_close: true })
    // Neither a secret nor anything else that was given.
    expect(readPlace(drawn.private_metadata!)).toEqual({ change: 'c1', step })
  })

  it('leads back to the one before and on to the review', () => {
    const ids = [0, 1, 2].map((step) => [...said(view(step)).matchAll(/"action_id":"(\w+)"/g)].map(([, id]) => id))
    expect(ids).toEqual([['form_review'], ['form_back', 'form_review'], ['form_back']])
  })

  it('says where the answer of a read comes, if it was opened outside of any channel, and leads to no review', () => {
    const drawn = (operation: Operation, channelId?: string) =>
      readText(formView({ operation, step: 0, values: {}, change: { id: 'c1', channelId }, zones }))
    const elsewhere = 'The answer comes under Messages of this app.'
    expect(drawn(apiKeys)).toBe(
      '═══ API keys ═══\nValues are redacted.\nRole (optional): []\n  Only keys with this role, such as UserApi, a part of its name, or the last four characters of the key.\nKey id (optional): []\n  Only the key with this id; looked for on all pages.\nPage (optional): []\n  50 keys a page; the first unless given.\nThe answer comes under Messages of this app.\n[Cancel] [List keys]',
    )
    expect(drawn(apiKeys, 'C1')).toBe(drawn(apiKeys).replace(`${elsewhere}\n`, ''))
    const twice = { ...apiKeys, form: [...apiKeys.form!, ...apiKeys.form!] }
    expect(drawn(twice)).not.toMatch(/Skip|Messages/)
  })

  it('redraws on the fields the step names, and on no others', () => {
    const dispatching = inputs(view(0, { type: 'MX' })).filter((block) => block.dispatch_action === true)
    expect(dispatching.map(({ block_id }) => block_id)).toEqual(['type'])
  })

  it('requires what the operation requires', () => {
    expect(inputs(view(0, { type: 'MX' })).map(({ optional }) => optional)).toEqual([false, false, true, false])
  })

  it('requires what these values need, and lets a step name it', () => {
    const needed = { needed: true }
    const named = (values: RawValues) => ({ priority: { needed: values['type'] === 'MX', label: 'Preference' } })
    const [first, second, last] = sample.form!
    const operation = {
      ...sample,
      form: [{ ...first!, wording: named }, second!, { ...last!, wording: () => ({ variables: needed }) }],
    }
    const page = (step: number, values: RawValues) =>
      formView({ operation, step, values, change: { id: 'c1', channelId: undefined }, zones })
    const drawn = page(0, { type: 'MX' })
    // A secret that was given is not shown, and need not be given again.
    expect([{}, { variables: 'A=1' }].map((given) => input(page(2, given), 'variables').optional)).toEqual([
      false,
      true,
    ])
    expect(input(drawn, 'priority')).toMatchObject({ optional: false, label: { text: 'Preference' } })
    expect(input(drawn, 'value')).toMatchObject({ optional: false, label: { text: 'Value' } })
  })

  it('has no page beyond the last, and none for an operation without a form', () => {
    expect(() => view(3)).toThrow(RangeError)
    expect(() =>
      formView({ operation: sampleList, step: 0, values: {}, change: { id: 'c1', channelId: undefined }, zones }),
    ).toThrow(RangeError)
  })
})

describe('what was given before', () => {
  it.each([
    [0, 'value', 'a <b>', { initial_value: 'a <b>' }],
    [0, 'type', 'mx', { initial_option: { value: 'MX' } }],
    [0, 'type', ' MX ', { initial_option: { value: 'MX' } }],
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
    [0, 'value', ['a', 'b'], { initial_value: 'a, b', max_length: 100 }],
    [1, 'weightFactor', '1', { is_decimal_allowed: true, min_value: '0', max_value: '1' }],
    [2, 'variables', 'A=1', { multiline: true, max_length: 1_000 }],
  ])('fills in page %i, %s with %j', (step, field, given, expected) => {
    const drawn = view(step, given === undefined ? {} : { [field]: given })
    expect(input(drawn, field).element).toMatchObject(expected)
    expect(said(drawn)).not.toContain(':warning:')
  })

  it('lists several zones as they were typed', () => {
    const several: Field = { ...sample.fields['zone']!, control: { kind: 'zone', zoneKind: 'pull', several: true } }
    const { block, shown } = fieldInput('zones', several, ['shop', '302'], zones, false)
    expect([block.block_id, shown]).toEqual(['zones', true])
    expect(block.element).toMatchObject({ initial_value: 'shop, 302', max_length: 3_000 })
  })

  it('has a list in lines where there are several', () => {
    const lines: Field = { ...sample.fields['value']!, control: { kind: 'text', multiline: true, maxLength: 100 } }
    expect(fieldInput('value', lines, ['a', 'b'], zones, false).block.element).toMatchObject({ initial_value: 'a\nb' })
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
    expect(said(view(step, { [field]: given }, [{ field, problem: 'It is none.' }]))).not.toContain(
      'cannot be used here',
    )
  })

  it('never makes Slack refuse the view, whatever was typed', () => {
    const names = Object.keys(sample.fields)
    const short = fc.string({ unit: anyCharacter, maxLength: 50 })
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
