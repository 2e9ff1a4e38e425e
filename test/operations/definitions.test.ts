import { describe, expect, it } from 'vitest'
import { viewProblems } from '../support/slack-rules.ts'
import type { NamedZone } from '../../src/operations/declaration/field.ts'
import type { RawValues } from '../../src/shared/raw-values.ts'
import { findOperation, stem } from '../../src/operations/declaration/operation-names.ts'
import { flagName } from '../../src/operations/declaration/usage.ts'
import { OPERATIONS } from '../../src/operations/index.ts'
import type { Operation } from '../../src/operations/declaration/operation.ts'
import { parseCommand } from '../../src/slack/command-text/parse-command.ts'
import { formValues } from '../../src/slack/form/form-values.ts'
import { formView } from '../../src/slack/form/form-view.ts'
import { checkContext, invocationOf } from '../support/operation-context.ts'
import { submittedState } from '../support/submitted-state.ts'

/** What every declaration owes to the grammar, the forms, the help and the store. */

const SHOP = { name: 'shop', zoneId: '4711' }
const zones: readonly NamedZone[] = (['pull', 'storage', 'dns'] as const).map((kind) => ({ kind, ...SHOP }))
const fieldsOf = (operation: Operation) => Object.entries(operation.fields)

/** Every value of a choice that redraws the form, one after the other: what it takes to see all of a page's fields. */
function redrawings({ fields, form = [] }: Operation): readonly RawValues[] {
  const names = new Set(form.flatMap(({ redrawOn = [] }) => redrawOn))
  const values = [...names].flatMap((name) => {
    const control = fields[name]?.control
    if (control?.kind === 'choice') return control.choices.map(({ value }) => ({ [name]: value }))
    return [{ [name]: 'true' }, { [name]: 'false' }]
  })
  return [{}, ...values]
}

describe('the list of operations', () => {
  it('has no two operations that can be taken for one another, also when number and case are left out of account', () => {
    const owners = new Map<string, string>()
    for (const { name, aliases } of OPERATIONS) {
      for (const typed of [name, ...aliases]) {
        const stems = typed.split(' ').map(stem).join(' ')
        expect(`${stems}: ${owners.get(stems) ?? name}`).toBe(`${stems}: ${name}`)
        owners.set(stems, name)
      }
    }
  })

  it('finds an operation by its exact name only', () => {
    expect(OPERATIONS.map(({ name }) => findOperation(OPERATIONS, name)?.name)).toEqual(
      OPERATIONS.map(({ name }) => name),
    )
    expect(findOperation(OPERATIONS, 'zones')).toBeUndefined()
    expect(findOperation(OPERATIONS, 'constructor')).toBeUndefined()
  })
})

describe.each(OPERATIONS.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  it('has a name of lower-case words and a summary that is one line without a full stop', () => {
    expect(name).toMatch(/^[a-z]+( [a-z]+)?$/)
    expect(operation.summary).toMatch(/^[A-Z][^\n]{10,90}[^.\s]$/)
    expect(operation.verb.length).toBeLessThanOrEqual(24)
  })

  it('explains every field in a label of at most 60 characters and a hint', () => {
    const unexplained = fieldsOf(operation).filter(([, { label, hint = '' }]) => label.length > 60 || hint === '')
    expect(unexplained.map(([key]) => key)).toEqual([])
  })

  it('has a flag of its own for every field, which no other field can be taken for', () => {
    const flags = Object.keys(operation.fields).map((key) => flagName(key).replaceAll('-', ''))
    expect(new Set(flags).size).toBe(flags.length)
    for (const flag of flags) expect(flags).not.toContain(`no${flag}`)
  })

  it('offers choices that a menu can hold', () => {
    for (const [key, { control }] of fieldsOf(operation)) {
      if (control.kind !== 'choice' && control.kind !== 'choices') continue
      const { choices } = control
      const values = new Set(choices.map(({ value }) => value.toLowerCase()))
      expect([key, values.size, choices.length <= 100]).toEqual([key, choices.length, true])
      // A comma would separate typed values; Slack shows 75 characters of a label.
      expect(choices.filter(({ value, label }) => value.includes(',') || label.length > 75)).toEqual([])
    }
  })

  it.each(operation.examples)('understands its example: %s', (example) => {
    const parsed = parseCommand(example, OPERATIONS, zones)
    expect(parsed).toMatchObject({ kind: 'operation', problems: [] })
    if (parsed.kind !== 'operation') return
    expect(parsed.operation.name).toBe(name)
    const result = operation.parse(parsed.values, checkContext({ zones }))
    expect(result.ok ? [] : result.issues).toEqual([])
  })

  it('names positionals that it has fields for', () => {
    for (const values of redrawings(operation)) {
      for (const key of operation.positionals(values)) expect(operation.fields).toHaveProperty(key)
    }
  })

  it('can be given every required value by its form, if it has one, and every page is one Slack takes', () => {
    if (operation.form === undefined) return
    const shown = new Set<string>()
    for (const values of redrawings(operation)) {
      for (const [step, page] of operation.form.entries()) {
        expect(page.title.length).toBeLessThanOrEqual(24)
        for (const key of page.fields(values)) shown.add(key)
        const view = formView({ operation, step, values, change: { id: 'c1', channelId: undefined }, zones })
        expect(viewProblems(view)).toEqual([])
      }
    }
    const unreachable = fieldsOf(operation).filter(([key, field]) => field.required && !shown.has(key))
    expect(unreachable.map(([key]) => key)).toEqual([])
    for (const key of shown) expect(operation.fields).toHaveProperty(key)
  })

  const filledIn = operation.form === undefined ? [] : operation.examples
  it.each(filledIn)('means the same once its example has gone through the form: %s', (example) => {
    const parsed = parseCommand(example, OPERATIONS, zones)
    if (parsed.kind !== 'operation') throw new Error(`${example} is ${parsed.kind}`)
    const context = checkContext({ zones })
    const submitted = (operation.form ?? []).reduce<RawValues>((values, _, step) => {
      const view = formView({ operation, step, values, change: { id: 'c1', channelId: undefined }, zones })
      return formValues(operation, submittedState(view), values)
    }, parsed.values)
    expect(invocationOf(operation, submitted, context).canonical).toBe(
      invocationOf(operation, parsed.values, context).canonical,
    )
  })
})
