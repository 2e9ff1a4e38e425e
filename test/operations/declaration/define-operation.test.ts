import { describe, expect, it } from 'vitest'
import { defineOperation, holdsSecret, maskSecrets } from '../../../src/operations/declaration/define-operation.ts'
import { choices } from '../../../src/operations/declaration/choice-field.ts'
import type { Fields } from '../../../src/operations/declaration/field.ts'
import { id, integer, required, text } from '../../../src/operations/declaration/fields.ts'
import type { OperationDefinition } from '../../../src/operations/declaration/operation.ts'
import { zone, zones } from '../../../src/operations/declaration/zone-field.ts'
import { sampleReview } from '../../support/sample-operation.ts'
import { checkContext, invocationOf, operationContext, problemsOf } from '../../support/operation-context.ts'

const fields = {
  zone: required(zone({ label: 'Zone', zoneKind: 'dns' })),
  count: integer({ label: 'Count', min: 1, max: 9 }),
  token: text({ label: 'Token', secret: true }),
}

function define<F extends Fields>(
  of: F,
  more: Partial<Extract<OperationDefinition<F, string>, { lookFor: object }>> = {},
) {
  return defineOperation<F, string>({
    name: 'thing add',
    summary: 'Add a thing',
    verb: 'Add thing',
    effect: 'write',
    review: () => sampleReview('Add a thing'),
    lookFor: () => 'A thing.',
    fields: of,
    examples: [],
    describe: () => 'Add a thing',
    run: async () => 'added',
    present: (text) => ({ message: { text, blocks: [] } }),
    ...more,
  })
}

describe('what is not declared', () => {
  it.each([
    ['read', 'viewer'],
    ['sensitive read', 'operator'],
    ['acknowledge', 'operator'],
    ['write to the bot', 'operator'],
    ['write', 'operator'],
    ['billed or irreversible', 'operator'],
  ] as const)('follows from the effect %s: the least role is %s, and the answer is for who asks', (effect, role) => {
    const operation = define(fields, { effect: effect as 'write' })
    expect(operation).toMatchObject({ baseEffect: effect, minimumRole: role, audience: 'caller', effectVaries: false })
    expect(operation.positionals({})).toEqual([])
  })

  it('is nothing, and what is declared is there', async () => {
    const [context, form] = [
      { store: operationContext().store, channelId: 'C1' },
      { title: 'A', fields: () => [] },
    ]
    const plain = define(fields, { verb: undefined as never })
    const nothing = { aliases: [], question: undefined, shareable: false, undoable: false, form: undefined }
    expect(plain).toMatchObject({ ...nothing, verb: 'Continue' })
    expect(await plain.current(context)).toEqual({})
    const declared = { aliases: ['a'], question: 'What?', shareable: true, undoable: true, verb: 'Do it' }
    const full = define(fields, { ...declared, form, minimumRole: 'admin', current: async () => ({ count: '7' }) })
    expect(full).toMatchObject({ ...declared, form: [form], minimumRole: 'admin' })
    expect(await full.current(context)).toEqual({ count: '7' })
    const { lookFor, review } = invocationOf(full, { zone: '7' })
    expect([lookFor, review?.sentence]).toEqual(['A thing.', 'Add a thing'])
  })
})

describe('reading values', () => {
  it('says everything that is wrong at once, and which fields are missing', () => {
    const parsed = define(fields).parse({ count: '10', what: 'x' }, checkContext())
    expect(parsed).toEqual({
      ok: false,
      issues: [
        { field: 'zone', problem: 'Zone is needed.', missing: true },
        { field: 'count', problem: 'Count must be a whole number from 1 to 9.' },
        { field: undefined, problem: 'There is no field what.' },
      ],
    })
  })

  it.each(['toString', '__proto__', 'constructor'])('knows no field called %s', (name) => {
    expect(problemsOf(define(fields), { zone: '7', ...JSON.parse(`{"${name}":"x"}`) })).toEqual([
      `all: There is no field ${name}.`,
    ])
  })

  it.each([{ count: '' }, { count: [] }])('takes the empty value %j for an absent one', (values) => {
    let seen: unknown = 'nothing'
    const operation = define(fields, { check: ({ count }) => ((seen = count), []) })
    invocationOf(operation, { zone: '7', ...values })
    expect(seen).toBeUndefined()
  })

  it('asks for the rules between fields with what could be read, and calls nothing missing that is merely wrong', () => {
    const operation = define(fields, {
      check: ({ zone: given, count }) => [
        { field: 'zone', problem: `Zone ${given?.id} is full.` },
        ...(count === undefined ? [{ field: 'count', problem: 'Count is needed.', missing: true }] : []),
      ],
    })
    expect(problemsOf(operation, { zone: '7', count: 'x' })).toEqual([
      'count: Count must be a whole number from 1 to 9.',
      'zone: Zone 7 is full.',
    ])
    expect(problemsOf(operation, { zone: '7' })).toEqual(['zone: Zone 7 is full.', 'count: Count is needed.'])
  })
})

describe('an invocation', () => {
  const spelled = (values: Record<string, string>) => invocationOf(define(fields), values).canonical

  it('has one spelling, whatever the order, the name of the zone or the way a number is written', () => {
    expect(spelled({ zone: 'shop', count: '7' })).toBe('[["count",7],["zone","301"]]')
    expect(spelled({ count: ' +7', zone: '301' })).toBe(spelled({ zone: 'SHOP', count: '7' }))
    expect(spelled({ zone: '301', count: '8' })).not.toBe(spelled({ zone: '301', count: '7' }))
    expect(spelled({ zone: '301', token: '7' })).not.toBe(spelled({ zone: '301', count: '7' }))
  })

  it('is about every one of several zones, and spells them by their ids', () => {
    const several = { zone: zones({ label: 'Zones', zoneKind: 'dns', most: 9 }) }
    const invocation = invocationOf(define(several), { zone: 'shop, 9' })
    expect(invocation.zones).toEqual([
      { kind: 'dns', id: 301n },
      { kind: 'dns', id: 9n },
    ])
    expect(invocation.canonical).toBe('[["zone",["301","9"]]]')
  })

  it('spells integers and lists without loss', () => {
    const list = ['a', 'b'].map((value) => ({ value, label: value }))
    const operation = define({ library: id({ label: 'Library' }), regions: choices({ label: 'R', choices: list }) })
    const { canonical } = invocationOf(operation, { library: '9007199254740993', regions: 'b,a' })
    expect(canonical).toBe('[["library","9007199254740993"],["regions",["a","b"]]]')
  })

  it('takes the higher one of the role of its operation and that of its input', () => {
    const roleFor = ({ count = 0 }: { readonly count?: number | undefined }) => (count > 1 ? 'admin' : 'viewer')
    const operation = define(fields, { roleFor })
    const roles = ['1', '2'].map((count) => invocationOf(operation, { zone: '7', count }).minimumRole)
    expect(roles).toEqual(['operator', 'admin'])
    const optional = define({ zone: zone({ label: 'Zone', zoneKind: 'dns' }), count: fields.count })
    expect(invocationOf(optional, { count: '1' }).zones).toEqual([])
    expect([holdsSecret(fields, { zone: '7' }), holdsSecret(fields, { zone: '7', token: 'x' })]).toEqual([false, true])
  })

  it('has the effect of its input, and the operation that of none', () => {
    const operation = define(fields, { effect: ({ count = 1 }) => (count > 1 ? 'billed or irreversible' : 'write') })
    const effect = (count: string) => invocationOf(operation, { zone: '7', count }).effect
    expect([operation.baseEffect, effect('1'), effect('2')]).toEqual(['write', 'write', 'billed or irreversible'])
  })

  it('keeps secrets out of the values that outlive it', () => {
    const { values, maskedValues } = invocationOf(define(fields), { zone: '7', token: 'abc' })
    expect([values['token'], maskedValues]).toEqual(['abc', { zone: '7', token: '••••' }])
    expect(maskSecrets(fields, { token: ['a', 'b'], unknown: 'x' })).toEqual({ token: '••••', unknown: 'x' })
  })

  it('has been performed before anything is shown of it, so a mistake in showing cannot undo it', async () => {
    const done: string[] = []
    const operation = define(fields, {
      run: async () => {
        done.push('run')
        return 'added'
      },
      present: () => {
        throw new Error('cannot be shown')
      },
    })
    const invocation = invocationOf(operation, { zone: '7' })
    const present = await invocation.perform(operationContext())
    expect(done).toEqual(['run'])
    expect(present).toThrow('cannot be shown')
  })
})
