import { describe, expect, it } from 'vitest'
import type { Backfilled } from '../../../src/alerts/log/backfill.ts'
import type { NamedZone } from '../../../src/operations/declaration/field.ts'
import { alertsRemove } from '../../../src/operations/alerts/alerts-remove.ts'
import { alertsWatch } from '../../../src/operations/alerts/alerts-watch.ts'
import { MAX_WATCHED_ZONES } from '../../../src/operations/alerts/watch-set.ts'
import { buttonValues } from '../../support/ask.ts'
import { StoreError } from '../../../src/store/schema/store-error.ts'
import { checkContext, invocationOf, operationContext } from '../../support/operation-context.ts'
import { messageProblems } from '../../support/slack-rules.ts'
import { createAlertsBench, deskWith, NOW_MINUTE, withOutage } from './alerts-bench.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const bench = forEachTest(createAlertsBench)

const READ: Backfilled = { covered: 0.98, problems: [] }
const subjects = async () => [...new Set((await bench.store.alertRules.list()).map(({ subject }) => subject))]
const rowOf = (text: string, zone: string): string => text.split('\n').find((line) => line.includes(zone)) ?? ''

describe('watching several zones', () => {
  it('says of each what is on, what is known and what would have fired, one after the other', async () => {
    const read: bigint[] = []
    const said: string[] = []
    const alerts = deskWith(withOutage, {
      backfill: async (id, { progress }) => {
        read.push(id)
        progress('Reading the log')
        return READ
      },
    })
    await bench.ask(alertsWatch, { pullZone: 'blog' })
    const changes = { alerts, progress: (sentence: string) => void said.push(sentence) }
    const { text } = await bench.ask(
      alertsWatch,
      { pullZone: 'shop, blog 303', mention: 'S0123', account: 'on' },
      changes,
    )
    expect(read).toEqual([301n, 302n, 303n])
    expect(said).toEqual([
      'shop (301), 1 of 3: Reading the log',
      'blog (302), 2 of 3: Reading the log',
      '303, 3 of 3: Reading the log',
    ])
    const past = 'Over the last 3 days (98.0 % known) it would have fired: Origin failing once.'
    expect(text.split('\n')).toEqual([
      '3 pull zones are watched now. Critical alerts ping a group.',
      ...['shop (301)', 'blog (302)', '303'].map((zone) => `${zone}: ${past}`),
      'Changed API keys, and storage zones with a name that jump, are told here, too.',
    ])
    expect(await subjects()).toEqual(['account', 'pull/301', 'pull/302', 'pull/303', 'storage/*'])
    const [summary] = (await bench.record())[0]!.slice(1)
    expect(summary).toMatch(/^Watch 3 pull zones: shop \(301\), blog \(302\), 303 in C1: /)
  })

  it('says of how many less than a week is known', async () => {
    const alerts = deskWith((minute) => (minute < NOW_MINUTE - 4_320 ? undefined : withOutage(minute)), {
      backfill: async () => READ,
    })
    const [two, one] = await Promise.all(
      [
        alerts,
        {
          ...alerts,
          minutes: async (id: bigint, from: number, until: number) =>
            id === 301n ? alerts.minutes(id, from, until) : [],
        },
      ].map(async (desk) => (await bench.ask(alertsWatch, { pullZone: '301, 302' }, { alerts: desk })).text),
    )
    expect(two).toContain('Less than a week is known of 2 zones: until then, usual peaks may raise alerts.')
    expect(one).toContain('Less than a week is known of one zone: until then, usual peaks may raise alerts.')
  })

  it('is every pull zone with a name, and undone as a whole, but for what was on before', async () => {
    await bench.rule({ kind: 'cache-not-working', subject: 'pull/302' })
    const watched = await bench.ask(alertsWatch, { pullZone: 'all', account: 'on' })
    expect(await subjects()).toEqual(['account', 'pull/301', 'pull/302', 'storage/*'])
    await bench.ask(alertsRemove, buttonValues(watched, 'Undo'))
    expect(await bench.store.alertRules.list()).toMatchObject([{ kind: 'cache-not-working', subject: 'pull/302' }])
    const again = await bench.ask(alertsWatch, { pullZone: 'all' })
    expect((await bench.ask(alertsWatch, { pullZone: 'all' })).text).toContain(
      '2 pull zones were watched here already. Nobody is pinged.',
    )
    expect(again.buttons?.map(({ label }) => label)).toEqual(['Ping somebody …', 'API keys and storage too …', 'Undo'])
  })

  it('goes on where one zone cannot be read, and says so first', async () => {
    const alerts = deskWith(withOutage, {
      backfill: async (id) => {
        if (id === 302n) throw new StoreError('unreachable')
        return id === 303n ? { covered: 0, problems: ['Logging is off for this zone.'] } : READ
      },
      minutes: async (id) => {
        if (id === 301n) throw new StoreError('unreachable')
        return []
      },
    })
    const { text } = await bench.ask(alertsWatch, { pullZone: '304,301,302,303' }, { alerts })
    const rows = text.split('\n').filter((line) => /30\d\)?:/.test(line))
    expect(rows.map((row) => /30\d/.exec(row)?.[0])).toEqual(['301', '302', '303', '304'])
    expect(rowOf(text, '(301)')).toMatch(/What would have been told is not known: the store did not answer\.$/)
    expect(rowOf(text, '(302)')).toMatch(/What would have been told is not known: the store did not answer\.$/)
    expect(rowOf(text, '303')).toMatch(/Logging is off for this zone\.$/)
    expect(rowOf(text, '304')).toBe('304: Over the last 3 days (98.0 % known) it would not have fired.')
    expect(await subjects()).toHaveLength(4)
  })

  it('reads no more zones once its time is over, and says which', async () => {
    const abort = new AbortController()
    const read: bigint[] = []
    const alerts = deskWith(withOutage, {
      backfill: async (id) => {
        read.push(id)
        abort.abort()
        return READ
      },
    })
    const { text } = await bench.ask(alertsWatch, { pullZone: 'all' }, { alerts, signal: abort.signal })
    expect(read).toEqual([301n])
    expect(rowOf(text, 'blog (302)')).toContain('it took too long')
  })

  it('takes as many as can be read, in one message with all of them', async () => {
    const zones = Array.from({ length: MAX_WATCHED_ZONES }, (_, index): NamedZone => ({
      kind: 'pull',
      name: `a-zone-with-a-name-as-long-as-names-are-${index}`.slice(0, 40),
      zoneId: String(9_000_000_000_000_000n + BigInt(index)),
    }))
    const invocation = invocationOf(alertsWatch, { pullZone: 'all' }, checkContext({ zones }))
    let ids = 0
    const newId = () => String((ids += 1)).padStart(32, '0')
    const { message, buttons = [] } = await invocation.run(
      operationContext({}, { store: bench.store, zones, newId, signal: AbortSignal.abort() }),
    )
    expect(messageProblems(message)).toEqual([])
    expect(message.text).toContain(`and ${MAX_WATCHED_ZONES - 10} more`)
    expect(await subjects()).toHaveLength(MAX_WATCHED_ZONES)
    expect(await bench.refusal(alertsWatch, { pullZone: '1, 2' })).toContain(
      `${MAX_WATCHED_ZONES} pull zones are watched already. With these it would be ${MAX_WATCHED_ZONES + 2}`,
    )
    const remove = invocationOf(alertsRemove, buttonValues({ buttons }, 'Undo'))
    expect(remove.sentence).toBe(`Remove alerts: ${(MAX_WATCHED_ZONES * 5).toLocaleString('en')} rules`)
    expect(messageProblems((await remove.run(operationContext({}, { store: bench.store }))).message)).toEqual([])
    expect(await bench.store.alertRules.list()).toEqual([])
  })
})
