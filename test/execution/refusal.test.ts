import { describe, expect, it, afterEach, beforeEach } from 'vitest'
import type { Message } from '../../src/block-kit/message.ts'
import { askForAccess, refusal } from '../../src/execution/requests/refusals.ts'
import type { Actor, Decision } from '../../src/operations/declaration/role.ts'
import { actor, ask, type Bench, createBench } from '../support/execution-bench.ts'
import { RepeatedRefusals } from '../../src/store/audit/audit-log.ts'
import { StoreError } from '../../src/store/schema/store-error.ts'
import { entry } from '../store/harness.ts'
import { createSqliteHarness } from '../store/sqlite-harness.ts'
import { drawn } from '../support/drawn.ts'
import { takeNotices } from '../support/notices.ts'
import { recordingLog } from '../support/recording-log.ts'
import { forEachTest } from '../support/for-each-test.ts'

const denied = {
  kind: 'deny',
  reason: 'Only operators and admins can use keys list; you are a viewer.',
  neededRole: 'operator',
} as const
const drawnFor = (decision: Decision, who: Actor, admins: readonly string[] = ['UADA', 'UBEN']) => {
  const refused = refusal(decision, who, admins, 'keys list')
  return [refused.text, ...drawn(refused)]
}

describe('a refusal', () => {
  const happened = `${denied.reason} Nothing was done.`
  const whom = 'An admin can help: <@UADA>, <@UBEN>'
  const nobody = 'Only full members of this workspace can have a role, so nobody can give you one.'
  const { neededRole: _, ...byRule } = denied
  const guest = { ...actor('none'), barred: true, roleSource: 'guests have no role' }
  const silent = { ...actor('none'), unsure: 'Slack has not said who is in it' }

  it.each<[what: string, decision: Decision, who: Actor, says: readonly string[]]>([
    ['why, whom a button asks', denied, actor('viewer'), [happened, whom, '[Ask for access]']],
    ['no button where it is no want of a role', byRule, actor('operator'), [happened, whom]],
    ['nobody to those who can have no role', denied, guest, [happened, `${nobody} | Guests have no role`]],
    [
      'that Slack is silent',
      denied,
      silent,
      [happened, `${whom} | Slack has not said who is in it`, '[Ask for access]'],
    ],
  ])('says %s', (_what, decision, who, [said = '', small, ...button]) => {
    expect(drawnFor(decision, who)).toEqual([said, `:no_entry: ${said}`, `~ ${small}`, ...button])
  })

  it('mentions five people at most, since each is notified', () => {
    const admins = Array.from({ length: 8 }, (_, index) => `UADA${index}`)
    const named = admins.slice(0, 5).map((id) => `<@${id}>`)
    expect(drawnFor(denied, actor('viewer'), admins)[2]).toBe(`~ An admin can help: ${named.join(', ')} and 3 more`)
  })

  it('says which setting is missing when there is no admin', () => {
    expect(drawnFor(denied, actor('viewer', 'U77'), []).slice(2)).toEqual([
      '~ No admin is set yet: whoever runs CDN Ops puts `U77`, your Slack id, into ADMINS.',
    ])
  })
})

describe('asking for access', () => {
  const own = forEachTest(createBench)
  const asking = async (who: Actor, decision: Decision = denied, withinMs = 1_000) => {
    const notAfterMs = own.clock.monotonicMs() + withinMs
    return drawn(
      await askForAccess(own.services, { actor: who, operation: own.operation('keys list'), decision, notAfterMs }),
    )
  }
  const told = async () =>
    (await takeNotices(own.store)).map(({ recipient, message }) => [recipient, ...drawn(message as Message)])
  const grant =
    'write `OPERATORS=…,UVIEWER` in the settings, or add `UVIEWER` to `roles.operator.users` in the configuration file.'

  it('tells each admin who wants what, and how to grant it, once in two days', async () => {
    expect(await asking(actor('viewer'))).toEqual(['Asked <@UADMIN>, <@UADA>: they see that you wanted *keys list*.'])
    const asks = '<@UVIEWER> asks for access to *keys list*, which takes an operator. They are a viewer.'
    expect(await told()).toEqual(['UADMIN', 'UADA'].map((admin) => [admin, asks, `~ To grant it, ${grant}`]))
    const [entry] = await own.store.audit.list({ limit: 1 })
    const summary = 'Asked the admins for access to keys list'
    expect(entry).toMatchObject({ event: 'access_asked', actor: 'UVIEWER', operation: 'keys list', summary })
    expect(await asking(actor('viewer'))).toEqual(['The admins know already: <@UADMIN>, <@UADA>'])
    expect(await told()).toEqual([])
  })

  it('says that it came too late where it did, and tells nobody', async () => {
    await expect(asking(actor('viewer'), denied, -1)).rejects.toMatchObject({ code: 'busy' })
    expect(await told()).toEqual([])
  })

  it('names the user group that gives the role, and says of somebody that they have none', async () => {
    own.people.groups.set('operator', ['SOPS'])
    await asking(actor('none', 'UVIEWER'))
    expect((await told())[0]?.slice(1)).toEqual([
      '<@UVIEWER> asks for access to *keys list*, which takes an operator. They have no role.',
      `~ To grant it, put them into <!subteam^SOPS>, ${grant}`,
    ])
  })

  it('asks nobody where they may already, or could not have it; an admin does not ask themselves', async () => {
    expect(await asking(actor('operator'), { kind: 'run', reason: '' })).toEqual(['You can use *keys list* now.'])
    expect(await asking({ ...actor('none'), barred: true })).toEqual([
      'Only full members of this workspace can have a role, so nobody can give you one.',
    ])
    expect(await told()).toEqual([])
    await asking(actor('admin'))
    expect((await told()).map(([recipient]) => recipient)).toEqual(['UADA'])
  })
})

const MINUTE_MS = 60_000
let bench: Bench
const harness = forEachTest(createSqliteHarness)
beforeEach(async () => {
  bench = await createBench({ harness })
})
afterEach(() => bench.close())
const entries = async () =>
  (await bench.store.audit.list({ limit: 100 }))
    .toReversed()
    .map(
      ({ actor: who, operation, detail = '' }) =>
        `${who} ${operation}: ${detail.replace(/^Only people with a role can use lines list.*/, 'first')}`,
    )

describe('refusals of somebody without a role', () => {
  const [nobody, other] = [actor('none', 'UNOBODY'), actor('none', 'UOTHER2')]

  it('are answered each time, and put on record as one and how many more there were in its minute', async () => {
    for (let n = 0; n < 120; n += 1) expect(await ask(bench, 'lines list', nobody)).toHaveLength(1)
    expect(await entries()).toEqual(['UNOBODY lines list: first'])
    bench.clock.turn(MINUTE_MS)
    await expect.poll(entries).toEqual(['UNOBODY lines list: first', expect.stringMatching(/: Refused 119 more times/)])
    expect(bench.counted.filter((count) => count === 'lines list denied')).toHaveLength(120)
  })

  it('that go on make an entry a minute', async () => {
    for (let minute = 0; minute < 10; minute += 1) {
      for (let n = 0; n < 10; n += 1) await ask(bench, 'lines list', nobody)
      bench.clock.turn(MINUTE_MS)
      await expect.poll(entries).toHaveLength(2 + minute)
    }
    expect((await entries()).at(-1)).toMatch(/Refused 10 more times/)
  })

  it('are counted for each person and each operation', async () => {
    for (let n = 0; n < 2; n += 1)
      for (const name of ['lines list', 'keys list']) for (const who of [nobody, other]) await ask(bench, name, who)
    bench.clock.turn(MINUTE_MS)
    await expect.poll(entries).toHaveLength(8)
    expect((await entries()).slice(4)).toEqual(
      Array.from({ length: 4 }, () => expect.stringMatching(/Refused once more/) as string),
    )
  })

  it('begin anew after a minute of quiet', async () => {
    await ask(bench, 'lines list', nobody)
    bench.clock.turn(2 * MINUTE_MS)
    await ask(bench, 'lines list', nobody)
    expect(await entries()).toEqual(['UNOBODY lines list: first', 'UNOBODY lines list: first'])
    expect(bench.clock.timers).toBe(1)
  })

  it('of more than a thousand persons at once are each an entry', async () => {
    const refuse = (n: number) => bench.store.refusals.append(entry('denied', { actor: `U${n}` }))
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => refuse(n)))
    for (const n of [999, 1_000, 1_000]) await refuse(n)
    expect(await bench.store.audit.head()).toMatchObject({ seq: 1_002 })
  })

  it('that cannot be counted on record are in the log', async () => {
    const { log, lines } = recordingLog()
    const refusals = new RepeatedRefusals(bench.store.audit, bench.clock, log)
    for (let n = 0; n < 3; n += 1) await refusals.append(entry('denied'))
    await bench.store.close()
    await refusals.close()
    const fields = { err: expect.any(StoreError) as StoreError, operation: 'dns add', times: 2 }
    expect(lines).toEqual([{ level: 'error', sentence: 'refusals could not be recorded', fields }])
  })

  it('are written when the bot stops before the minute ends', async () => {
    for (let n = 0; n < 3; n += 1) await ask(bench, 'lines list', nobody)
    await bench.store.close()
    const { audit } = await harness.open({ clock: bench.clock })
    expect(await audit.list({ limit: 1 })).toMatchObject([{ seq: 2, detail: 'Refused 2 more times within a minute.' }])
    expect(await audit.verify()).toMatchObject({ ok: true, entries: 2 })
  })
})

it('refusals of somebody with a role are each put on record', async () => {
  for (let n = 0; n < 5; n += 1) await ask(bench, 'keys list', actor('viewer'))
  expect(await entries()).toHaveLength(5)
})
