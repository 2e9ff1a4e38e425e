import { describe, expect, it } from 'vitest'
import { formErrors, stepIssues } from '../../../src/slack/listeners/form-listener.ts'
import { formValues, readReason } from '../../../src/slack/form/form-values.ts'
import { InvalidDelivery } from '../../../src/slack/gateway/invalid-delivery.ts'
import { sample } from '../../support/sample-operation.ts'

const values = (state: unknown, previous = {}) => formValues(sample, state, previous)
const text = (value: string | null) => ({ value: { type: 'plain_text_input', value } })
const chosen = (value: string | null) => ({
  value: { type: 'static_select', selected_option: value === null ? null : { text: {}, value } },
})
const ticked = (...all: string[]) => ({
  value: { type: 'checkboxes', selected_options: all.map((value) => ({ text: {}, value })) },
})

describe('what a view holds', () => {
  it('gives the same values as typed text does', () => {
    const state = {
      'zone:dns': chosen('301'),
      type: chosen('MX'),
      priority: { value: { type: 'number_input', value: '10' } },
      value: text(' mail.example.net '),
      tags: ticked('v1', 'v2'),
      accelerated: chosen('off'),
      dryRun: ticked('true'),
    }
    expect(values(state)).toEqual({
      zone: '301',
      type: 'MX',
      priority: '10',
      value: ' mail.example.net ',
      tags: ['v1', 'v2'],
      accelerated: 'off',
      dryRun: 'true',
    })
  })

  it.each([
    ['an untouched text', 'value', text(null)],
    ['a cleared text', 'value', text('')],
    ['a blank text', 'value', text(' \n')],
    ['a number without a value', 'priority', { value: { type: 'number_input' } }],
    ['a menu without a choice', 'type', chosen(null)],
    ['a zone menu without a choice', 'zone:dns', chosen(null)],
    ['no ticked box', 'tags', ticked()],
    ['an unticked switch', 'dryRun', ticked()],
    ['the default of the platform', 'accelerated', chosen('default')],
  ])('takes %s for no value, whatever was there before', (_, blockId, element) => {
    const field = blockId.split(':')[0]!
    expect(values({ [blockId]: element }, { [field]: 'before', other: 'stays' })).toEqual({ other: 'stays' })
  })

  it('keeps what fields without an input in the view were given', () => {
    const previous = { priority: '10', variables: 'A=1', type: 'MX' }
    expect(values({ type: chosen('A'), value: text('x') }, previous)).toEqual({ ...previous, type: 'A', value: 'x' })
  })

  it('keeps what an input shows spelled out, where that stands as it was filled in', () => {
    const [given, shown] = ['می\u200cخواهم', 'می\\u{200C}خواهم']
    expect(values({ value: text(shown) }, { value: given })).toEqual({ value: given })
    expect(values({ value: text(`${shown} `) }, { value: given })).toEqual({ value: `${shown} ` })
    expect(values({ value: text(shown) })).toEqual({ value: shown })
  })

  it('keeps a secret that was given when its input, which does not show it, is left empty', () => {
    expect(values({ variables: text(null) }, { variables: 'A=1' })).toEqual({ variables: 'A=1' })
    expect(values({ variables: text('B=2') }, { variables: 'A=1' })).toEqual({ variables: 'B=2' })
  })

  it('takes up nothing the operation has no field for', () => {
    const state = JSON.stringify({ constructor: text('x'), proto: text('x'), nonsense: text('x'), value: {} })
    expect(values(JSON.parse(state.replace('proto', '__proto__')))).toEqual({})
  })

  it('refuses what is no state of a view', () => {
    expect(() => values({ value: { value: { type: 'plain_text_input', value: 7 } } })).toThrow(/value/)
    expect(() => values(undefined)).toThrow(/expected record/)
  })
})

describe('the one text of a view', () => {
  const entered = (value: string | null, more = {}) => ({ reason: { ...text(value), ...more } })
  it.each<[string, unknown, string | undefined | false]>([
    ['what stands there', entered(' why not '), 'why not'],
    ['as long as Slack counts it', entered('x'.repeat(1_000)), 'x'.repeat(1_000)],
    ['nothing where it is empty', entered(null), undefined],
    ['nothing where it is blank', entered(' '), undefined],
    ['nothing where it is not there', {}, undefined],
    ['none where it is longer', entered('x'.repeat(1_001)), false],
    ['none where there is more beside it', { ...entered('x'), value: text('x') }, false],
    ['none where it has another action', { reason: { other: { type: 'plain_text_input' } } }, false],
    ['none where it is of another kind', { reason: chosen('x') }, false],
    ['none where it cannot be read', 'hush', false],
  ])('is %s', (_, state, said) => {
    const read = () => readReason(state, 'reason', 'c1')
    if (said === false) expect(read).toThrow(InvalidDelivery)
    else expect(read()).toBe(said)
  })
})

describe('what a page must settle', () => {
  const issues = [
    { field: 'zone', problem: 'Zone is needed.' },
    { field: 'weightFactor', problem: 'Weight is too high.' },
    { field: 'variables', problem: 'Variables are too many.' },
    { field: undefined, problem: 'It does not fit together.' },
  ]

  it('is what it and the pages before it ask for; the last page settles all', () => {
    expect(stepIssues(sample, 0, {}, issues)).toEqual(issues.slice(0, 1))
    expect(stepIssues(sample, 1, {}, issues)).toEqual(issues.slice(0, 2))
    expect(stepIssues(sample, 2, {}, issues)).toEqual(issues)
  })

  it('goes to the inputs of the submitted view, by their block, unless one has none there', () => {
    const state = { 'zone:dns': chosen(null), value: text('x') }
    const more = [...issues, { field: 'zone', problem: 'Zone is odd.' }]
    const ofZone = more.filter(({ field }) => field === 'zone')
    expect(formErrors(state, ofZone)).toEqual({ 'zone:dns': 'Zone is needed. Zone is odd.' })
    for (const other of issues.slice(1)) expect(formErrors(state, [...ofZone, other])).toBeUndefined()
  })
})
