import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CdnError } from '../../src/cdn/errors.ts'
import { Executor } from '../../src/execution/executor.ts'
import type { Actor } from '../../src/operations/role.ts'
import { UserError } from '../../src/shared/errors.ts'
import { StoreError } from '../../src/store/store-error.ts'
import { actor, type Bench, createBench, HeardConversation } from '../support/execution-bench.ts'
import { plainAnswer } from '../support/ledger-operations.ts'
import { invocationOf } from '../support/operation-context.ts'

let bench: Bench
let heard: HeardConversation
beforeEach(async () => {
  bench = await createBench()
  heard = new HeardConversation()
})
afterEach(() => bench.close())

async function ask(name: string, by: Actor, values = {}): Promise<readonly string[]> {
  await bench.executor.answer(invocationOf(bench.operation(name), values), by, heard, { channelId: 'C1' })
  return heard.said
}

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
    await ask('lines list', actor('viewer'))
    expect(heard.files).toEqual(['lines.csv'])
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
      expect.stringMatching(/^caller: The audit log cannot be written, so nothing was read/),
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

  it('refuses what the role does not allow, on record, naming who can help', async () => {
    bench.acts.read = () => expect.unreachable('It was refused')
    expect(await ask('keys list', actor('viewer'))).toEqual([
      'caller: keys list needs the role operator; yours is viewer. Nothing was done. Your role is viewer: listed for a test. An admin can help.',
    ])
    expect(await bench.record()).toEqual(['denied: keys list needs the role operator; yours is viewer.'])
    expect(bench.counted).toEqual(['keys list denied'])
  })

  it('refuses also when that cannot be put on record, which is logged', async () => {
    await bench.store.close()
    expect(await ask('keys list', actor('none', 'UX'))).toEqual([
      expect.stringMatching(/Nothing was done\. You are UX: listed for a test\./),
    ])
    expect(bench.log.map(({ sentence }) => sentence)).toEqual(['a refusal could not be recorded'])
  })

  it('never runs what has to be confirmed first', async () => {
    let written = false
    bench.acts.write = async () => {
      written = true
      return 'stored'
    }
    const said = await ask('record add', actor('operator'), { zone: 'shop', value: 'x' })
    expect(said).toEqual([expect.stringMatching(/^caller: Something went wrong inside CDN Ops/)])
    expect(written).toBe(false)
    expect(await bench.record()).toEqual([])
  })
})

describe('failing', () => {
  it('ends as a message for the caller, whatever fails', async () => {
    for (const error of [
      new CdnError('queryLogs', { kind: 'rejected', status: 503 }),
      new UserError('busy', 'Too many. Nothing was done.'),
      new TypeError('hush'),
    ]) {
      bench.acts.read = () => Promise.reject(error)
      await ask('lines list', actor('viewer'))
    }
    expect(heard.said).toEqual([
      'caller: The platform failed (503). Nothing was changed. Ask again in a minute.',
      'caller: Too many. Nothing was done.',
      expect.stringMatching(/^caller: Something went wrong .* Incident [0-9a-f]{8}\./),
    ])
    expect(bench.counted).toEqual(Array.from({ length: 3 }, () => 'lines list failed'))
  })

  it('logs a bug with its stack under the number that is shown', async () => {
    bench.acts.read = () => Promise.reject(new TypeError('hush'))
    const [said] = await ask('lines list', actor('viewer'))
    const bug = bench.log.find(({ level }) => level === 'error')
    expect(bug).toMatchObject({ sentence: 'a bug', fields: { operation: 'lines list', err: new TypeError('hush') } })
    expect(said).toContain(String(bug?.fields['incident']))
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
    bench.clock.turn(11 * 60_000)
    expect((await asked).at(-1)).toMatch(/given up before an answer came\. Nothing was changed\./)
    expect(bench.clock.timers).toBe(0)
  })

  it('tells somebody who asks too much at once that this one was not started', async () => {
    const held = Promise.withResolvers<ReturnType<typeof plainAnswer>>()
    bench.acts.read = () => held.promise
    const asked = Array.from({ length: 7 }, () => ask('lines list', actor('viewer')))
    await expect.poll(() => heard.said).toEqual([expect.stringMatching(/^caller: 6 of your requests/)])
    held.resolve(plainAnswer('Lines.'))
    await Promise.all(asked)
    expect(bench.inFlight.count).toBe(0)
  })
})

describe('what somebody may do', () => {
  it('is listed with the decision for an empty input', () => {
    const kinds = bench.executor
      .catalog(actor('viewer'), 'C1')
      .map(({ operation, decision }) => `${operation.name} ${decision.kind}`)
    expect(kinds).toEqual(['record add deny', 'lines list run', 'keys list deny', 'name add deny', 'help run'])
  })

  it('can be looked up for somebody else, by who may ask that', async () => {
    let seen: readonly string[] = []
    bench.acts.read = async (context) => {
      const { actor: found, catalog } = await context.lookUp('UOLGA')
      seen = [found.role, ...catalog.map(({ decision }) => decision.kind)]
      return plainAnswer('Seen.')
    }
    await ask('lines list', actor('viewer'))
    expect(seen).toEqual(['operator', 'confirm', 'run', 'run', 'run', 'run'])
  })
})

describe('what a write leaves in a free field', () => {
  it('is the id of its change, where that is turned on', async () => {
    expect(bench.executor.marker('abc')).toBe('cdn-ops abc')
    expect(bench.executor.marker(undefined)).toBeUndefined()
    const silent = new Executor({ ...bench.executor.options, markRecords: false })
    expect(silent.marker('abc')).toBeUndefined()
    expect((await bench.executor.check({ timeZone: 'UTC', changeId: 'abc' })).marker).toBe('cdn-ops abc')
    expect((await bench.executor.check({ timeZone: 'UTC' })).marker).toBeUndefined()
  })
})
