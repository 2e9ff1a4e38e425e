import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { IncidentAlert, IncidentDoc } from '../../../src/alerts/state/incident.ts'
import { history } from '../../../src/operations/history/history.ts'
import type { OperationContext } from '../../../src/operations/declaration/operation.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import type { IncidentWrite } from '../../../src/store/schema/alert-records.ts'
import { type AlertBench, alertBench } from '../../alerts/alert-bench.ts'
import { look } from '../../store/alert-fixtures.ts'
import { changeIn, entry } from '../../store/harness.ts'
import { ask as askOf, buttonValues } from '../../support/ask.ts'
import { NOW, operationContext, problemsOf } from '../../support/operation-context.ts'
import { catalogFor } from '../../support/role-catalog.ts'

const MINUTE_MS = 60_000
/** So many minutes before everything is asked. */
const ago = (minutes: number): Date => new Date(NOW.getTime() - minutes * MINUTE_MS)

let bench: AlertBench
beforeEach(async () => {
  bench = await alertBench(NOW.toISOString())
})
afterEach(() => bench[Symbol.asyncDispose]())

const catalog = catalogFor(operationContext().actor)
const ask = (values: RawValues = {}, changes: Partial<OperationContext> = {}) =>
  askOf(history, values, {}, { store: bench.store, catalog, ...changes })

type Alert = Partial<IncidentAlert>

/** An incident of pull zone shop from so many minutes ago to so many, in channel C1. */
async function incident(
  id: string,
  [from, until]: readonly [number, number?],
  more: Partial<IncidentWrite> = {},
  alert: Alert = {},
  { acknowledged, ...doc }: Partial<IncidentDoc> & { readonly acknowledged?: number } = {},
) {
  const subject = more.subject ?? 'pull/201'
  const endedMs = until === undefined ? undefined : ago(until).getTime()
  const alerts = [
    {
      ruleId: 'r1',
      kind: 'origin-failing',
      subject,
      severity: 'critical',
      firedMs: ago(from).getTime(),
      endedMs,
      peak: 0.31,
      unit: 'share',
      title: endedMs === undefined ? 'origin failing' : 'origin answers again',
      facts: { sentence: 'It was so.' },
      ...alert,
    } as const,
  ]
  const write = {
    id: id.padEnd(32, '0'),
    subject,
    channelId: 'C1',
    openedAt: ago(from),
    endedAt: until === undefined ? undefined : ago(until),
    doc: { alerts, nature: 'incident', cycle: 1, samples: [], trend: [], ...doc },
    ...more,
  }
  const put = (each: IncidentWrite) => look(bench.store, bench.clock, { subject, incidents: [each] })
  if (acknowledged !== undefined) {
    await put({ ...write, endedAt: undefined })
    const end = bench.store.alerts.acknowledge(write.id, {
      person: 'U333',
      at: ago(acknowledged),
      entry: entry('alert_acknowledged'),
    })
    expect(await end).toBe('acknowledged')
  }
  await put(write)
  return write.id
}

describe('what happened', () => {
  it('says first whether it is over and how bad it was, then all of it in the order of time', async () => {
    await bench.store.marks.add(
      { id: 'm1', pullZoneId: '201', at: ago(200), text: 'deploy 1.42', by: 'U222' },
      entry('alert_marked'),
    )
    const first = await incident('a', [180, 150], {}, {}, { acknowledged: 176 })
    await bench.store.alerts.note(first, 'the disk was full', {
      person: 'U333',
      at: ago(170),
      entry: entry('alert_noted'),
    })
    await incident('b', [160, 140], { subject: 'storage/101' }, { kind: 'storage-change' })
    await bench.store.silences.add(
      { id: 's1', subject: 'pull/201', channelId: 'C1', from: ago(100), until: ago(40), by: 'U222', reason: 'known' },
      entry('alert_silenced'),
    )
    const { text, said, labels } = await ask()
    expect(text.split('\n')).toEqual([
      '2 incidents in 12 h, 40 min in trouble; all are over. Also 1 mark, 1 silence.',
      '2026-11-20 08:40 UTC 📍 pull zone shop (201): deploy 1.42 · marked by somebody',
      '2026-11-20 09:00 UTC ✅ pull zone shop (201): Origin failing for 30 min, worst 31 % · looked after by somebody after 4 min · origin answers again · “the disk was full” (somebody) · Open (https://slack.com/app_redirect?team=T1&amp;channel=C1&amp;message_ts=)',
      '2026-11-20 09:20 UTC ✅ storage zone shop (101): Storage growing or jumping for 20 min, worst 31 % · nobody acknowledged it · origin answers again · Open (https://slack.com/app_redirect?team=T1&amp;channel=C1&amp;message_ts=)',
      '2026-11-20 10:20 UTC 🔕 everything about pull zone shop (201) until 2026-11-20 11:20 UTC · silenced by somebody: known',
    ])
    for (const person of ['U222', 'U333']) expect(said).toContain(`<@${person}>`)
    expect(labels).toEqual(['CSV file', 'Last 7 days'])
  })

  it('names those to whom an alert was handed over, too', async () => {
    const id = await incident('a', [60], {}, {}, { acknowledged: 57 })
    for (const [minutes, holder] of [
      [40, 'U444'],
      [30, 'U333'],
    ] as const)
      await bench.store.alerts.assign(id, holder, {
        person: 'U222',
        at: ago(minutes),
        entry: entry('alert_taken_over'),
      })
    expect((await ask()).said).toContain('looked after by <@U333> after 3 min, then <@U444>, <@U333>')
  })

  it('says what goes on, what was no problem, and what nobody watches any more', async () => {
    await incident('a', [20])
    const dismissed = await incident('b', [50], { channelId: 'C2' })
    await bench.store.alerts.dismiss(dismissed, { person: 'U333', at: ago(45), entry: entry('alert_dismissed') })
    await incident('c', [90], { endedAt: ago(80), channelId: 'C3' })
    const { text } = await ask()
    expect(text).toMatch(/^3 incidents in 12 h, 35 min in trouble; 1 goes on, 1 is not watched any more\.\n/)
    expect(text).toMatch(/🔴 pull zone shop \(201\): Origin failing for 20 min.* · goes on · /)
    expect(text).toMatch(
      /☑️ .* for 5 min, worst 31 % · in C2 · nobody acknowledged it · not a problem, said somebody · /,
    )
    expect(text).toMatch(/☑️ .* for 10 min.* · not watched any more · /)
  })

  it('looks for a word that is no zone, and says where nothing has it', async () => {
    for (const name of ['promo', 'www'])
      await changeIn(bench.store, bench.clock, 'done', {
        sentence: `Add an A record ${name}`,
        operation: 'dns add',
        values: { zone: 'shop', type: 'A', name, value: '192.0.2.1' },
      })
    await incident('a', [20, 10])
    const { text } = await ask({ zone: 'promo' })
    expect(text).toMatch(/^No incident about promo in 12 h\. Also 1 change\.\n/)
    expect(text).toContain('Add an A record promo')
    await expect(ask({ zone: 'elsewhere' })).rejects.toThrow(
      'Nothing about “elsewhere” happened then, and no zone has that name.',
    )
  })

  it('tells who changed limits, of the zone that is asked about', async () => {
    const changed = (id: string) =>
      entry('alert_changed', {
        actor: 'U222',
        summary: `Change origin-failing for pull zone x (${id}) (warning 25 %, critical 201 %) in C0OPS00001`,
      })
    bench.clock.turn(0)
    await bench.store.audit.append(changed('201'))
    await bench.store.audit.append(changed('999'))
    await bench.store.audit.append(entry('read'))
    const { text } = await ask()
    expect(text).toContain('🔔 Change origin-failing for pull zone x (201) (warning 25 %, critical 201 %) · by')
    expect(text).toContain('Also 2 rule changes.')
    expect(text).not.toContain('C0OPS00001')
    expect((await ask({ zone: 'shop' })).text).not.toContain('(999)')
  })

  it('does not say of what nobody watches any more that it is over', async () => {
    await incident('c', [90], { endedAt: ago(80) })
    expect((await ask()).text).toMatch(/^1 incident in 12 h, 10 min in trouble; it is not watched any more\.\n/)
  })

  it('adds up the times of one that was over and began again, and is silent of a time in between', async () => {
    const alerts = [{ ruleId: 'r2', kind: 'cache-not-working' }]
    const past = [{ fromMs: ago(300).getTime(), untilMs: ago(280).getTime(), alerts }]
    const worst = {
      ruleId: 'r1',
      kind: 'origin-failing',
      subject: 'pull/201',
      severity: 'critical',
      firedMs: 0,
      peak: 0.5,
      unit: 'share',
      facts: { sentence: '' },
    } as const
    await incident('a', [300, 60], {}, {}, { acknowledged: 85, cycle: 2, begunMs: ago(90).getTime(), past, worst })
    const { text } = await ask()
    expect(text).toMatch(/^1 incident in 12 h, 50 min in trouble; it is over\.\n/)
    expect(text).toContain('Cache not working, Origin failing for 50 min in 2 times, worst 50 %')
    expect((await ask({ since: ago(200).toISOString(), until: ago(100).toISOString() })).text).toBe(
      'No incident from 2026-11-20 08:40 UTC to 2026-11-20 10:20 UTC.',
    )
    expect((await ask({ since: ago(80).toISOString() })).text).toMatch(/^1 incident in 1 h 20 min, 20 min in trouble/)
  })

  it('tells of changes who asked, who approved and what became of them, without their values', async () => {
    const { id } = await changeIn(bench.store, bench.clock, 'waiting', {
      sentence: 'Add an A record www',
      hash: 'h',
      requestedBy: 'U222',
      values: { zone: '301', value: 'canary' },
    })
    expect(
      await bench.store.approvals.add(
        { changeId: id, person: 'U333', hash: 'h', at: NOW },
        entry('approval', { changeId: id }),
      ),
    ).toMatchObject({ kind: 'approved' })
    await bench.store.changes.move(id, {
      from: ['waiting'],
      to: 'denied',
      now: NOW,
      set: { endedBy: 'U444' },
      audit: entry('denied', { changeId: id }),
    })
    await changeIn(bench.store, bench.clock, 'draft', { sentence: 'Not asked for yet' })
    const { text, said, shown } = await ask()
    expect(text).toBe(
      'No incident in 12 h. Also 1 change.\n2026-11-20 12:00 UTC  Add an A record www: declined by somebody · asked by somebody · approved by somebody',
    )
    expect(said).toMatch(/<@U444> · asked by <@U222> · approved by <@U333>/)
    expect(shown).not.toMatch(/canary|Not asked/)
  })

  it('leaves out what another zone did', async () => {
    await incident('a', [20, 10])
    await incident('b', [20, 10], { subject: 'pull/202' })
    await changeIn(bench.store, bench.clock, 'done', {
      sentence: 'Here',
      operation: 'dns add',
      values: { zone: 'shop', type: 'A', name: 'www', value: '192.0.2.1' },
    })
    await changeIn(bench.store, bench.clock, 'done', {
      sentence: 'Elsewhere',
      operation: 'dns add',
      values: { zone: '77', type: 'A', name: 'www', value: '192.0.2.1' },
    })
    for (const [id, pullZoneId] of [
      ['m1', '201'],
      ['m2', '202'],
    ] as const)
      await bench.store.marks.add(
        { id, pullZoneId, at: ago(5), text: `deploy of ${pullZoneId}`, by: 'U222' },
        entry('alert_marked'),
      )
    for (const [id, subject] of [
      ['s1', 'storage/*'],
      ['s2', 'pull/202'],
    ] as const)
      await bench.store.silences.add({ id, subject, from: ago(5), until: NOW, by: 'U222' }, entry('alert_silenced'))
    const { text } = await ask({ zone: 'SHOP' })
    expect(text).toMatch(
      /^1 incident about SHOP in 12 h, 10 min in trouble; it is over\. Also 1 mark, 1 silence, 1 change\.\n/,
    )
    expect(text).not.toMatch(/\(202\)|of 202|Elsewhere/)
    expect((await ask({ zone: '202' })).text).toMatch(/^1 incident .* Also 1 mark, 2 silences\.\n/)
    expect(problemsOf(history, { zone: 'shup' })).toEqual(['zone: No zone is named shup. Did you mean shop?'])
  })

  it('shows the newest twenty and gives all of it as a file', async () => {
    for (let each = 0; each < 23; each += 1)
      await bench.store.marks.add(
        { id: `m${each}`, pullZoneId: '201', at: ago(100 - each), text: `mark number ${each}`, by: 'U222' },
        entry('alert_marked'),
      )
    await incident('a', [60, 30], {}, {}, { acknowledged: 50 })
    const shown = await ask()
    expect(shown.text).toContain('These are the newest 20. The file has 4 more.')
    expect(shown.text).not.toContain('mark number 3\n')
    expect(shown.file).toBeUndefined()
    const { file, records, text } = await ask(buttonValues(shown, 'CSV file'))
    expect(file?.name).toBe('history-2026-11-20.csv')
    expect(records).toHaveLength(25)
    expect(records[0]).toBe(
      'time_utc,what,about,text,until_utc,minutes,worst,acknowledged_by,acknowledged_after_minutes,by,approved_by,outcome,channel,id',
    )
    expect(records.at(-1)).toBe(
      '2026-11-20T11:00:00.000Z,incident,pull zone shop (201),Origin failing,2026-11-20T11:30:00.000Z,30,31 %,U333,10,,,origin answers again,C1,a0000000',
    )
    expect(text).toContain('has all 24 lines')
  })

  it('says of a long time what is not kept for so long, and refuses one that is longer than anything is kept', async () => {
    expect((await ask({ since: '7d' })).text).toBe('No incident in 7 d.')
    expect((await ask({ since: '8d' })).text).toContain('Marks are kept for 15 days, and silences for 7 days')
    expect(problemsOf(history, { since: '90d' })).toEqual([])
    expect(problemsOf(history, { since: '91d' })).toEqual([
      'since: Since lies more than 90 days back; incidents are not kept for longer.',
    ])
    expect(problemsOf(history, { since: '2026-12-01' })).toEqual(['since: Since lies in the future.'])
    expect(problemsOf(history, { since: '1h', until: '2h' })).toEqual(['until: Until must lie after since.'])
  })

  it('tells of an event once, and counts it as none that lasts', async () => {
    await incident(
      'a',
      [20, 20],
      { subject: 'account' },
      { kind: 'api-keys-changed', title: 'key 7 is new', peak: undefined },
      { nature: 'event' },
    )
    const { text } = await ask()
    expect(text).toMatch(
      /^No incident in 12 h\. Also 1 event\.\n.* 🔵 the account: API keys changed · key 7 is new · Open/,
    )
  })

  it('reads all pages of what there was', async () => {
    const many = Array.from({ length: 201 }, (_, each): IncidentWrite => ({
      id: `i${each}`,
      subject: 'pull/201',
      channelId: `C${each}`,
      openedAt: ago(60),
      endedAt: ago(30),
      doc: { alerts: [], nature: 'incident', cycle: 1, samples: [], trend: [] },
    }))
    await look(bench.store, bench.clock, { subject: 'pull/201', incidents: many })
    expect((await ask()).text).toMatch(/^201 incidents in 12 h, 30 min in trouble; all are over\./)
  })
})
