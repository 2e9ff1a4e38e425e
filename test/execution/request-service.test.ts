import { beforeEach, describe, expect, it } from 'vitest'
import { alertsWatch } from '../../src/operations/alerts/alerts-watch.ts'
import { CdnError } from '../../src/cdn/contract/errors.ts'
import { DEFAULT_POLICY, type PolicyRule } from '../../src/execution/policy/policy.ts'
import { InputReader } from '../../src/execution/requests/parts.ts'
import type { Request } from '../../src/execution/request-service.ts'
import type { Operation } from '../../src/operations/declaration/operation.ts'
import type { Actor } from '../../src/operations/declaration/role.ts'
import type { RawValues } from '../../src/shared/raw-values.ts'
import { UserError } from '../../src/shared/errors.ts'
import { StoreError } from '../../src/store/schema/store-error.ts'
import { defineOperation } from '../../src/operations/declaration/define-operation.ts'
import { zone } from '../../src/operations/declaration/zone-field.ts'
import { actor, ask as askBench, createBench, RECORD, useBench } from '../support/execution-bench.ts'
import { forEachTest } from '../support/for-each-test.ts'
import { entry } from '../store/harness.ts'
import { plainAnswer } from '../support/ledger-operations.ts'

const bench = useBench()

const ask = (name: string, by: Actor, values = {}) => askBench(bench, name, by, values)

describe('answering', () => {
  it('runs a read, shows it to whom it is for, with its buttons and progress, and puts nothing on record', async () => {
    bench.acts.read = async (context) => {
      context.progress('half way')
      return plainAnswer(`${context.actor.id} reads by ${context.command}.`)
    }
    expect(await ask('lines list', actor('viewer'))).toEqual([
      'progress: half way',
      'caller: UVIEWER reads by /cdn. [Share in channel]',
    ])
    expect(await bench.record()).toEqual([])
    expect(bench.counted).toEqual(['lines list answered'])
    expect(bench.clock.timers).toBe(0)
  })

  it('sends the file of an answer after it', async () => {
    const file = { name: 'lines.csv', title: 'Lines', content: 'a\n' }
    bench.acts.read = async () => ({ ...plainAnswer('Lines.'), file })
    expect(await ask('lines list', actor('viewer'))).toEqual(['caller: Lines. [Share in channel]', 'file: lines.csv'])
  })

  it('puts a sensitive read on record before it is made', async () => {
    let before: readonly string[] = []
    bench.acts.read = async () => {
      before = await bench.record()
      return plainAnswer('Keys.')
    }
    await ask('keys list', actor('operator'))
    expect(before).toEqual(['read'])
  })

  it('does not make a sensitive read that cannot be put on record, while plain reads go on', async () => {
    bench.store.audit.append = () => Promise.reject(new StoreError('full'))
    expect(await ask('keys list', actor('operator'))).toEqual([
      'caller: The audit log cannot be written, so nothing was read: API keys are shown only with an entry there. Tell whoever runs CDN Ops. Plain reads go on.',
    ])
    expect(await ask('lines list', actor('viewer'))).toContain('caller: Three lines. [Share in channel]')
  })

  it('reads on when the store is gone altogether', async () => {
    await bench.store.close()
    expect(await ask('lines list', actor('viewer'))).toEqual(['caller: Three lines.'])
  })

  it('shows a write to the bot in the channel', async () => {
    expect(await ask('name add', actor('operator'), { kind: 'dns' })).toEqual(['channel: Three lines.'])
  })

  it('shows to the caller alone that nothing was done', async () => {
    bench.acts.read = async () => ({ ...plainAnswer('Nothing changed.'), audience: 'caller' })
    expect(await ask('name add', actor('operator'), { kind: 'dns' })).toEqual(['caller: Nothing changed.'])
  })

  it('refuses what the role does not allow, on record, naming who can help', async () => {
    bench.acts.read = () => expect.unreachable('It was refused')
    expect(await ask('keys list', actor('viewer'))).toEqual([
      'caller: Only operators and admins can use keys list; you are a viewer. Nothing was done. [Ask for access]',
    ])
    expect(await bench.record()).toEqual(['denied: Only operators and admins can use keys list; you are a viewer.'])
    expect(bench.counted).toEqual(['keys list denied'])
  })

  it('goes by the rules for the zone that is given, not only by those for all', async () => {
    const asking = async (decision: PolicyRule['decision'], zone: string) => {
      const rules = [{ name: 'policies[0]', decision, zones: ['dns/301'], reason: 'The shop is closed.' }]
      bench.rules.policy = { ...DEFAULT_POLICY, rules }
      const request = { operation: bench.operation('record add'), values: { ...RECORD, zone }, channelId: 'C1' }
      const result = await bench.requests.handle({ ...request, actor: actor('operator'), progress: () => undefined })
      return result.kind === 'review' ? (await result.begin()).decision.kind : result.kind
    }
    expect([await asking('deny', 'shop'), await asking('deny', '302')]).toEqual(['denied', 'confirm'])
    expect([await asking('approve', 'shop'), await asking('approve', '302')]).toEqual(['approve', 'confirm'])
    expect(await bench.record()).toEqual(['denied: The shop is closed.'])
  })

  it('refuses also when that cannot be put on record, which is logged', async () => {
    await bench.store.close()
    expect(await ask('keys list', actor('none', 'UX'))).toEqual([
      expect.stringMatching(/you have no role\. Nothing was done\./),
    ])
    expect(bench.log.map(({ sentence }) => sentence)).toContain('a refusal could not be recorded')
  })

  it('never runs what has to be confirmed first: it is reviewed, and bound to what the review shows', async () => {
    bench.acts.write = () => expect.unreachable('It was not confirmed')
    const by = actor('operator')
    const request = { operation: bench.operation('record add'), values: RECORD, actor: by, channelId: 'C1' }
    const result = await bench.requests.handle({ ...request, progress: () => undefined })
    if (result.kind !== 'review') throw new Error(`It is ${result.kind}`)
    expect(await bench.store.changes.list({ limit: 10 })).toEqual([])
    const { change } = await result.begin()
    expect(change).toMatchObject({ state: 'draft', channelId: 'C1', hash: expect.any(String) })
    expect(await bench.record()).toEqual([])
  })
})

describe('what is not complete', () => {
  const handle = async (name: string, values: RawValues, more: Partial<Request> = {}) => {
    const request = { operation: bench.operation(name), values, actor: actor('operator'), channelId: 'C1' }
    return bench.requests.handle({ ...request, progress: () => undefined, ...more })
  }

  it('asks for its form, filled in with what is known of it', async () => {
    const result = await handle('record add', { zone: 'shop', colour: 'red' }, { problems: ['Too much was typed.'] })
    if (result.kind !== 'form') throw new Error(`It is ${result.kind}`)
    expect(result.issues).toEqual([
      { field: undefined, problem: 'Too much was typed.' },
      { field: 'value', problem: 'Value is needed.', missing: true },
      { field: undefined, problem: 'There is no field colour.' },
    ])
    const { change, zones } = await result.begin()
    expect([change.state, change.channelId, change.values]).toEqual(['draft', 'C1', { zone: 'shop' }])
    expect(zones).toEqual(bench.rules.zones)
  })

  it('fills its form in with what is set now, where nothing else was given', async () => {
    const current: Operation['current'] = async ({ channelId }) => ({ zone: '201', value: channelId ?? '' })
    const operation = { ...bench.operation('record add'), current }
    const result = await handle('record add', { zone: 'shop' }, { operation })
    if (result.kind !== 'form') throw new Error(`It is ${result.kind}`)
    expect((await result.begin()).change.values).toEqual({ zone: 'shop', value: 'C1' })
  })

  it('asks for its form where that is wanted, though nothing is missing', async () => {
    expect(await handle('record add', RECORD, { wantsForm: true })).toMatchObject({ kind: 'form', issues: [] })
  })

  it('is said to be wrong where there is no form', async () => {
    const problems = ['What is that?']
    const issues = [{ field: undefined, problem: 'What is that?' }]
    expect(await handle('lines list', {}, { problems })).toEqual({ kind: 'invalid', issues })
    expect(await handle('lines list', {}, { wantsForm: true })).toMatchObject({ kind: 'answered' })
  })

  it('is refused first to whoever may not do it at all', async () => {
    expect(await handle('record add', {}, { actor: actor('viewer') })).toMatchObject({ kind: 'denied' })
  })
})

describe('a delivery that comes again', () => {
  const delivery = (name: string, values: RawValues, by: Actor, isNew: boolean) => ({
    operation: bench.operation(name),
    values,
    actor: by,
    channelId: 'C1',
    once: { key: 'command:1', notAfterMs: bench.clock.monotonicMs() + 1_000 },
    accept: async () => isNew,
    progress: () => undefined,
  })

  it('does nothing, unless it is a write to the bot, which the store has done once', async () => {
    const repeated = [
      delivery('lines list', {}, actor('viewer'), false),
      delivery('keys list', {}, actor('viewer'), false),
      delivery('record add', RECORD, actor('operator'), false),
    ]
    for (const each of repeated) expect(await bench.requests.handle(each)).toEqual({ kind: 'repeated' })
    expect(await bench.record()).toEqual([])
    expect(await bench.requests.handle(delivery('name add', { kind: 'dns' }, actor('operator'), false))).toMatchObject({
      kind: 'answered',
    })
  })

  it('is not acknowledged before a write to the bot is done, and before everything else', async () => {
    const steps: string[] = []
    const accept = async () => {
      steps.push('acknowledged')
      return true
    }
    bench.acts.read = async () => {
      steps.push('done')
      return plainAnswer('Three lines.')
    }
    await bench.requests.handle({ ...delivery('name add', { kind: 'dns' }, actor('operator'), true), accept })
    await bench.requests.handle({ ...delivery('lines list', {}, actor('viewer'), true), accept })
    expect(steps).toEqual(['done', 'acknowledged', 'done'])
  })
})

describe('failing', () => {
  it('ends as a message for the caller, whatever fails', async () => {
    const heard: string[] = []
    for (const error of [
      new CdnError('queryLogs', { kind: 'rejected', status: 503 }),
      new UserError('busy', 'Too many. Nothing was done.'),
      new TypeError('hush'),
    ]) {
      bench.acts.read = () => Promise.reject(error)
      heard.push(...(await ask('lines list', actor('viewer'))))
    }
    expect(heard).toEqual([
      'caller: The CDN failed (503). Ask again in a minute. [Try again]',
      'caller: Too many. Nothing was done. [Try again]',
      expect.stringMatching(/^caller: Something went wrong .* Incident [0-9a-f]{8}\./),
    ])
    expect(bench.counted).toEqual(Array.from({ length: 3 }, () => 'lines list failed'))
  })

  it('goes back to the form, filled in, where asking again would not help or do it twice', async () => {
    bench.acts.read = () => Promise.reject(new UserError('busy', 'Too many.'))
    const request = { operation: bench.operation('name add'), values: { kind: 'dns' }, actor: actor('operator') }
    const result = await bench.requests.handle({ ...request, channelId: 'C1', progress: () => undefined })
    if (result.kind !== 'failed') throw new Error(`It is ${result.kind}`)
    const [button] = result.message.blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []))
    expect(button).toMatchObject({ action_id: 'answer:form:0', text: { text: 'Back to the form' } })
    const kept =
      button?.type === 'button' ? await bench.store.answers.get(button.value ?? '', bench.clock.now()) : button
    expect(kept).toMatchObject({ kind: 'form', operation: 'name add', values: { kind: 'dns' } })
    bench.acts.read = () => Promise.reject(new UserError('expired', 'Too late.'))
    expect(await ask('lines list', actor('viewer'))).toEqual(['caller: Too late.'])
  })

  it('says after two seconds that it asks, or what the operation said last', async () => {
    const [held, begun] = [Promise.withResolvers<ReturnType<typeof plainAnswer>>(), Promise.withResolvers<void>()]
    const heard: string[] = []
    let running = 0
    bench.acts.read = async (context) => {
      running += 1
      if (running === 1) context.progress('Half way')
      else begun.resolve()
      return held.promise
    }
    const request = { operation: bench.operation('lines list'), values: {}, actor: actor('viewer'), channelId: 'C1' }
    const progress = (words: string) => heard.push(words)
    const asked = [1, 2].map(() => bench.requests.handle({ ...request, progress }))
    await begun.promise
    bench.clock.turn(1_999)
    expect(heard).toEqual(['Half way'])
    bench.clock.turn(1)
    expect(heard).toEqual(['Half way', 'Half way', 'Asking the CDN …'])
    held.resolve(plainAnswer('Lines.'))
    await Promise.all(asked)
  })

  it('gives up a read that never ends', async () => {
    const begun = Promise.withResolvers<void>()
    bench.acts.read = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(new CdnError('queryLogs', { kind: 'unreachable', reason: 'aborted', sent: 'maybe' }))
        })
        begun.resolve()
      })
    const asked = ask('lines list', actor('viewer'))
    await begun.promise
    bench.clock.turn(11 * 60_000 - 1)
    expect(bench.counted).toEqual([])
    bench.clock.turn(1)
    expect((await asked).at(-1)).toMatch(/given up before an answer came\./)
    expect(bench.clock.timers).toBe(0)
  })

  it('tells somebody who asks too much at once that this one was not started', async () => {
    const held = Promise.withResolvers<ReturnType<typeof plainAnswer>>()
    bench.acts.read = () => held.promise
    const asked = Array.from({ length: 7 }, () => ask('lines list', actor('viewer')))
    expect(await Promise.race(asked)).toEqual([expect.stringMatching(/^caller: 6 of your requests/)])
    held.resolve(plainAnswer('Lines.'))
    await Promise.all(asked)
    expect(bench.inFlight.count).toBe(0)
  })
})

describe('what somebody may do', () => {
  it('can be looked up for somebody else, by who may ask that', async () => {
    let [reached, seen]: (readonly unknown[])[] = []
    bench.people.names.set('otto', [{ id: 'U0OTTO', name: 'Otto' }])
    bench.acts.read = async (context) => {
      const { actor: found, catalog } = await context.lookUp('UOLGA')
      const { admins, channelId, zones, marker } = context
      const [named] = await context.findNamed('OTTO')
      reached = [admins, channelId, zones, marker, context.markerOf('abc'), named?.id]
      seen = [found.role, ...catalog.map(({ decision }) => decision.kind)]
      return plainAnswer('Seen.')
    }
    await ask('lines list', actor('viewer'))
    expect(seen).toEqual(['operator', 'confirm', 'run', 'run', 'run', 'run'])
    const zones = bench.rules.zones
    expect(reached).toEqual([['UADMIN', 'UADA'], 'C1', zones, undefined, 'cdn-ops abc', 'U0OTTO'])
  })
})

describe('somebody who is given by name', () => {
  const asked = { operation: alertsWatch, values: { pullZone: '301', mention: '@Otto' } }
  const otto = [{ id: 'U0OTTO', name: 'Otto' }]
  beforeEach(() => void bench.people.names.set('otto', otto))

  it('is looked up in Slack', async () => {
    expect((await bench.inputs.check(actor('operator'), asked)).named).toEqual(new Map([['otto', otto]]))
  })

  it('is not told to those without a role, nor looked up where no person is asked for', async () => {
    expect((await bench.inputs.check(actor('none'), asked)).named?.size).toBe(0)
    expect((await bench.inputs.check(actor('operator'), { ...asked, values: {} })).named?.size).toBe(0)
  })
})

describe('what a write leaves in a free field', () => {
  it('is the id of its change, where that is turned on', async () => {
    expect(bench.inputs.marker('abc')).toBe('cdn-ops abc')
    expect(bench.inputs.marker(undefined)).toBeUndefined()
    expect(new InputReader({ ...bench.services, markRecords: false }).marker('abc')).toBeUndefined()
    expect((await bench.inputs.check({ timeZone: 'UTC', changeId: 'abc' })).marker).toBe('cdn-ops abc')
    expect((await bench.inputs.check({ timeZone: 'UTC' })).marker).toBeUndefined()
  })
})

describe('names of zones', () => {
  it('are those of the configuration, then those that people gave', async () => {
    const given = { kind: 'dns', name: 'own', zoneId: '302' } as const
    await bench.store.zones.add({ ...given, addedBy: 'U1', addedAt: bench.clock.now() }, entry('zone_added'))
    expect(await bench.inputs.zones()).toMatchObject([{ name: 'shop' }, given])
  })

  it('are those of the configuration while the store cannot be read, unless a change hangs on all of them', async () => {
    bench.store.zones.list = () => Promise.reject(new StoreError('busy'))
    expect((await bench.inputs.check({ timeZone: 'UTC' })).zones).toEqual(bench.rules.zones)
    expect(bench.log.at(-1)).toMatchObject({ level: 'warn', sentence: 'the names of zones could not be read' })
    await expect(bench.inputs.check({ timeZone: 'UTC', changeId: 'abc' })).rejects.toThrow(StoreError)
    bench.store.zones.list = () => Promise.reject(new TypeError('a bug'))
    await expect(bench.inputs.zones()).rejects.toThrow(TypeError)
  })
})

describe('a zone that was asked about by its id', () => {
  const field = zone({ label: 'Zone', zoneKind: 'dns' })
  const about = (name: string, effect: 'read' | 'sensitive read') =>
    defineOperation({
      name,
      summary: 'Show it',
      effect,
      fields: { zone: field, other: field },
      examples: [name],
      describe: () => name,
      run: async () => undefined,
      present: () => plainAnswer('It.'),
    })
  const own = forEachTest(() =>
    createBench({
      operations: (scripted) => [
        about('zone show', 'read'),
        about('zone secrets', 'sensitive read'),
        ...scripted.filter(({ name }) => name === 'name add').map((each) => ({ ...each, name: 'zones add' })),
      ],
    }),
  )
  const isOffered = async (values: RawValues, by = actor('operator'), name = 'zone show') =>
    (await askBench(own, name, by, values)).join().includes('[Name this zone]')

  it('is offered a name, once to each person who may give one, after a plain read about it alone', async () => {
    const asked: readonly (readonly [RawValues, Actor?, string?])[] = [
      [{ zone: '7' }],
      [{ zone: '8' }],
      [{ zone: '7' }, actor('admin')],
      [{ zone: '7' }],
      [{ zone: '9' }, actor('viewer')],
      [{ zone: 'shop' }],
      [{ zone: '10', other: '11' }],
      [{}],
      [{ zone: '12' }, actor('admin'), 'zone secrets'],
    ]
    const offered: boolean[] = []
    for (const each of asked) offered.push(await isOffered(...each))
    expect(offered).toEqual(asked.map((_, index) => index < 3))
  })
})
