import { expect, test } from 'vitest'
import { MARK_RETENTION_MS, SILENCE_RETENTION_MS } from '../../../src/store/schema/alert-records.ts'
import { MAX_MARKS_PER_ZONE } from '../../../src/store/alerts/marks.ts'
import { MAX_SILENCES } from '../../../src/store/alerts/silences.ts'
import { incident, look, OPENED, silence } from '../alert-fixtures.ts'
import { type StoreHarness, entry } from '../harness.ts'
import { useStore } from '../use-store.ts'

const later = (milliseconds: number) => new Date(OPENED.getTime() + milliseconds)

/** What people say about alerts, on any engine. */
export function silencesSuite(harness: StoreHarness): void {
  const store = useStore(harness)
  const silenced = (id: string, until: Date) =>
    store.silences.add([silence(id, { until })], () => entry('alert_silenced', { summary: id }))
  const mark = (id: string, at: Date, pullZoneId = '301') =>
    store.marks.add({ id, pullZoneId, at, text: `Ü ${id}`, by: 'U1' }, entry('alert_marked'))
  const rows = async (table: string) => Number((await harness.sql(`select count(*) as n from ${table}`))[0]?.['n'])
  const recorded = async () => (await store.audit.list({ limit: 100 })).toReversed().map(({ event }) => event)

  test('a silence lasts until it is over, or somebody ends it, both on record', async () => {
    const full = silence('s1', { kind: 'origin-failing', channelId: 'C1', reason: 'Deploy', until: later(20) })
    await store.silences.add([full], () => entry('alert_silenced'))
    await silenced('s2', later(10))
    expect(await store.silences.list(later(9))).toMatchObject([{ id: 's2' }, full])
    expect(await store.silences.list(later(10))).toEqual([full])
    const end = (id: string, at: Date) =>
      store.silences.end([id], at, ({ by }) => entry('alert_unsilenced', { summary: by }))
    expect(await end('s1', later(15))).toEqual([{ ...full, until: later(15) }])
    expect(await end('s1', later(16))).toEqual([])
    expect(await end('s9', OPENED)).toEqual([])
    expect(await store.silences.list(later(15))).toEqual([])
    expect(await recorded()).toEqual(['alert_silenced', 'alert_silenced', 'alert_unsilenced'])
  })

  test('a silence has the messages of what it is about edited at once, when it begins and when it ends', async () => {
    const { clock } = harness
    await look(store, clock, { incidents: [incident('i1'), incident('i2', { channelId: 'C2' })] })
    await look(store, clock, { subject: 'storage/55', incidents: [incident('i3', { subject: 'storage/55' })] })
    const told = async (): Promise<readonly string[]> => {
      const cards: string[] = []
      for (let [card] = await store.outbox.claim(1); card !== undefined; [card] = await store.outbox.claim(1)) {
        cards.push(`${card.what} ${card.incidentId}`)
        await store.outbox.delivered(card)
      }
      return cards
    }
    await store.silences.add([silence('s1', { channelId: 'C1' })], () => entry('alert_silenced'))
    expect(await told()).toEqual(['card i1'])
    await store.silences.add([silence('s2', { subject: 'storage/*', channelId: 'C1' })], () => entry('alert_silenced'))
    expect(await told()).toEqual(['card i3'])
    await store.silences.end(['s1'], OPENED, () => entry('alert_unsilenced'))
    expect(await told()).toEqual(['card i1'])
    expect(await store.alerts.incident('i2')).toMatchObject({ revision: 1 })
  })

  test('a silence that is asked for only where there is none leaves the one that is there', async () => {
    const add = (id: string, changes = {}) =>
      store.silences.add([silence(id, { channelId: 'C1', ...changes })], () => entry('alert_silenced'), undefined, {
        unlessSilenced: true,
      })
    const others = [{ kind: 'k' }, { subject: 'pull/9' }, { channelId: 'C2' }, { from: later(1) }, { until: OPENED }]
    for (const [n, other] of others.entries())
      await store.silences.add([silence(`o${n}`, { channelId: 'C1', ...other })], () => entry('alert_silenced'))
    expect(await add('s1')).toMatchObject([{ id: 's1' }])
    expect(await add('s2')).toMatchObject([{ id: 's1' }])
    // What is silenced in all channels is in this one, and of two the last to end stays.
    const all = silence('all', { until: later(9e6) })
    await store.silences.add([all], () => entry('alert_silenced'))
    expect(await add('s3', { channelId: 'C2' })).toEqual([all])
    expect(await add('s4', { channelId: 'C1' })).toEqual([all])
    expect(await recorded()).toHaveLength(others.length + 2)
  })

  test('silences are found by when they were in force, over or not, the newest first', async () => {
    for (const [id, from, until] of [
      ['s1', 0, 10],
      ['s2', 5, 20],
      ['s3', 30, 40],
    ] as const)
      await store.silences.add([silence(id, { from: later(from), until: later(until) })], () => entry('alert_silenced'))
    const found = async (from: number, until: number) =>
      (await store.silences.between(later(from), later(until))).map(({ id }) => id)
    expect(await found(0, 40)).toEqual(['s3', 's2', 's1'])
    expect(await found(10, 30)).toEqual(['s3', 's2', 's1'])
    expect(await found(11, 29)).toEqual(['s2'])
    expect(await found(21, 29)).toEqual([])
  })

  test('a silence that is over makes room for another, one in force does not', async () => {
    const now = harness.clock.now().getTime()
    const fill = Array.from(
      { length: MAX_SILENCES },
      (_, n) => `('n${n}', 'pull/1', 0, ${n < 2 ? 5 : now + 60_000}, 'U1')`,
    )
    await harness.sql(`insert into silences (id, subject, from_at, until_at, set_by) values ${fill.join(', ')}`)
    const busy = { name: 'UserError', code: 'busy' }
    const until = new Date(now + 60_000)
    await silenced('s1', until)
    // Of several all find room, or none does.
    const several = ['s2', 's3', 's4'].map((id) => silence(id, { until }))
    await expect(store.silences.add(several, () => entry('alert_silenced'))).rejects.toMatchObject(busy)
    expect(await store.silences.list(new Date(now))).toHaveLength(MAX_SILENCES - 1)
    await silenced('s2', until)
    await expect(silenced('s3', until)).rejects.toMatchObject(busy)
    expect(await store.silences.list(new Date(now))).toHaveLength(MAX_SILENCES)
    expect(await recorded()).toHaveLength(2)
  })

  test('marks of a zone are listed newest first, from a time on', async () => {
    await mark('m1', later(1))
    await mark('m2', later(2))
    await mark('m3', later(2), '302')
    const second = { id: 'm2', pullZoneId: '301', at: later(2), text: 'Ü m2', by: 'U1' }
    expect(await store.marks.list('301', later(2))).toEqual([second])
    expect(await store.marks.list('301', OPENED)).toMatchObject([second, { id: 'm1' }])
    const remove = () => store.marks.remove('m1', ({ by }) => entry('alert_unmarked', { summary: by }))
    expect([await remove(), await remove()]).toMatchObject([{ id: 'm1' }, undefined])
    expect(await recorded()).toEqual(['alert_marked', 'alert_marked', 'alert_marked', 'alert_unmarked'])
  })

  test('the oldest marks of a zone make room', async () => {
    const fill = ['301', '302'].flatMap((zone) =>
      Array.from({ length: MAX_MARKS_PER_ZONE }, (_, n) => `('${zone} ${n}', '${zone}', ${n}, 'x', 'U1')`),
    )
    await harness.sql(`insert into marks (id, pull_zone_id, at, text, set_by) values ${fill.join(', ')}`)
    await mark('m1', OPENED)
    const kept = await store.marks.list('301', new Date(0))
    expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([MAX_MARKS_PER_ZONE, 'm1', '301 1'])
    expect(await rows('marks')).toBe(2 * MAX_MARKS_PER_ZONE)
  })

  test('a text that is too long is refused, and nothing is recorded', async () => {
    const text = 'x'.repeat(2_001)
    const add = store.marks.add({ id: 'm1', pullZoneId: '1', at: OPENED, text, by: 'U1' }, entry('alert_marked'))
    await expect(add).rejects.toThrow(RangeError)
    await expect(store.silences.add([silence('s1', { reason: text })], () => entry('alert_silenced'))).rejects.toThrow(
      RangeError,
    )
    expect(await recorded()).toEqual([])
  })

  test('a silence goes a week after it is over, a mark after fifteen days', async () => {
    await silenced('s1', OPENED)
    await mark('m1', OPENED)
    await store.prune(later(SILENCE_RETENTION_MS - 1))
    expect([await rows('silences'), await rows('marks')]).toEqual([1, 1])
    await store.prune(later(SILENCE_RETENTION_MS))
    expect([await rows('silences'), await rows('marks')]).toEqual([0, 1])
    await store.prune(later(MARK_RETENTION_MS))
    expect(await rows('marks')).toBe(0)
  })

  test('marks of all zones, or of one, are found by when they were, newest first', async () => {
    for (const [id, zoneId, minutes] of [
      ['m1', '301', 0],
      ['m2', '302', 1],
      ['m3', '301', 2],
      ['m4', '301', 3],
    ] as const)
      await store.marks.add({ id, pullZoneId: zoneId, at: later(minutes), text: id, by: 'U1' }, entry('alert_marked'))
    const ids = async (more: object) =>
      (await store.marks.between({ from: later(0), until: later(2), limit: 9, ...more })).map(({ id }) => id)
    expect(await ids({})).toEqual(['m3', 'm2', 'm1'])
    expect(await ids({ zoneId: '301' })).toEqual(['m3', 'm1'])
    expect(await ids({ limit: 1 })).toEqual(['m3'])
    expect(await ids({ from: new Date(later(0).getTime() + 1) })).toEqual(['m3', 'm2'])
  })
}
