import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { IncidentAlert, IncidentDoc } from '../../../src/alerts/state/incident.ts'
import { history } from '../../../src/operations/history/history.ts'
import type { OperationContext } from '../../../src/operations/declaration/operation.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import type { IncidentWrite, SilenceRecord } from '../../../src/store/schema/alert-records.ts'
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
beforeEach(async () => void (bench = await alertBench(NOW.toISOString())))
afterEach(() => bench[Symbol.asyncDispose]())

const catalog = catalogFor(operationContext().actor)
const ask = (values: RawValues = {}, changes: Partial<OperationContext> = {}) =>
  askOf(history, values, {}, { store: bench.store, catalog, ...changes })

const FACTS = { peak: 0.31, unit: 'share', facts: { sentence: 'It was so.' } } as const
const ALERT = { ruleId: 'r1', kind: 'origin-failing', severity: 'critical', ...FACTS } as const

/** An incident of pull zone shop from so many minutes ago to so many, in channel C1. */
async function incident(
  id: string,
  [from, until]: readonly [number, number?],
  more: Partial<IncidentWrite> = {},
  alert: Partial<IncidentAlert> = {},
  { acknowledged, ...doc }: Partial<IncidentDoc> & { readonly acknowledged?: number } = {},
) {
  const subject = more.subject ?? 'pull/201'
  const endedMs = until === undefined ? undefined : ago(until).getTime()
  const title = endedMs === undefined ? 'origin failing' : 'origin answers again'
  const alerts = [{ ...ALERT, subject, firedMs: ago(from).getTime(), endedMs, title, ...alert }]
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
    const answer = { person: 'U333', at: ago(acknowledged), entry: entry('alert_acknowledged') }
    expect(await bench.store.alerts.acknowledge(write.id, answer)).toBe('acknowledged')
  }
  await put(write)
  return write.id
}

const mark = (id: string, minutes: number, text: string, pullZoneId = '201') =>
  bench.store.marks.add({ id, pullZoneId, at: ago(minutes), text, by: 'U222' }, entry('alert_marked'))
const silence = (id: string, subject: string, more: Partial<SilenceRecord> = {}) => {
  const record = { id, subject, from: ago(5), until: NOW, by: 'U222', ...more }
  return bench.store.silences.add(record, entry('alert_silenced'))
}
const change = (sentence: string, zone: string, name = 'www') =>
  changeIn(bench.store, bench.clock, 'done', {
    sentence,
    operation: 'dns add',
    values: { zone, type: 'A', name, value: '192.0.2.1' },
  })

describe('what happened', () => {
  it('says first whether it is over and how bad it was, then all of it in the order of time', async () => {
    await mark('m1', 200, 'deploy 1.42')
    const first = await incident('a', [180, 150], {}, {}, { acknowledged: 176 })
    const noted = { person: 'U333', at: ago(170), entry: entry('alert_noted') }
    await bench.store.alerts.note(first, 'the disk was full', noted)
    await incident('b', [160, 140], { subject: 'storage/101' }, { kind: 'storage-change' })
    await silence('s1', 'pull/201', { channelId: 'C1', from: ago(100), until: ago(40), reason: 'known' })
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
    const assign = (minutes: number, holder: string) =>
      bench.store.alerts.assign(id, holder, { person: 'U222', at: ago(minutes), entry: entry('alert_taken_over') })
    await assign(40, 'U444')
    await assign(30, 'U333')
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
    for (const name of ['promo', 'www']) await change(`Add an A record ${name}`, 'shop', name)
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

  it('adds up the times of one that was over and began again, and is silent of a time in between', async () => {
    const alerts = [{ ruleId: 'r2', kind: 'cache-not-working' }]
    const past = [{ fromMs: ago(300).getTime(), untilMs: ago(280).getTime(), alerts }]
    const worst = { ...ALERT, subject: 'pull/201', firedMs: 0, peak: 0.5 }
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
    const approval = { changeId: id, person: 'U333', hash: 'h', at: NOW }
    const approved = await bench.store.approvals.add(approval, entry('approval', { changeId: id }))
    expect(approved).toMatchObject({ kind: 'approved' })
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
    await change('Here', 'shop')
    await change('Elsewhere', '77')
    for (const zone of ['201', '202']) await mark(`m${zone}`, 5, `deploy of ${zone}`, zone)
    await silence('s1', 'storage/*')
    await silence('s2', 'pull/202')
    const { text } = await ask({ zone: 'SHOP' })
    expect(text).toMatch(
      /^1 incident about SHOP in 12 h, 10 min in trouble; it is over\. Also 1 mark, 1 silence, 1 change\.\n/,
    )
    expect(text).not.toMatch(/\(202\)|of 202|Elsewhere/)
    expect((await ask({ zone: '202' })).text).toMatch(/^1 incident .* Also 1 mark, 2 silences\.\n/)
    expect(problemsOf(history, { zone: 'shup' })).toEqual(['zone: No zone is named shup. Did you mean shop?'])
  })

  it('shows the newest twenty and gives all of it as a file', async () => {
    for (let each = 0; each < 23; each += 1) await mark(`m${each}`, 100 - each, `mark number ${each}`)
    await incident('a', [60, 30], {}, {}, { acknowledged: 50 })
    const shown = await ask()
    expect(shown.text).toContain('These are the newest 20. The file has 4 more.')
    expect(shown.text).not.toContain('mark number 3\n')
    expect(shown.file).toBeUndefined()
    expect(buttonValues(shown, 'CSV file')).toMatchObject({ since: '2026-11-20T00:00:00.000Z' })
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

  it.each(['marks', 'rule changes'])('says where there may be more %s than are read at once', async (what) => {
    const many = (limit: number) => Array.from({ length: limit - missing }, (_, each) => each)
    const at = ago(5)
    let missing = 1
    if (what === 'marks')
      vi.spyOn(bench.store.marks, 'between').mockImplementation(async ({ limit }) =>
        many(limit).map((each) => ({ id: `m${each}`, pullZoneId: '201', at, text: 'deploy', by: 'U222' })),
      )
    else
      vi.spyOn(bench.store.audit, 'list').mockImplementation(async ({ limit }) =>
        many(limit).map((seq) => ({ ...entry('alert_changed'), seq, at, hash: '' })),
      )
    expect((await ask()).text).not.toContain('There is more')
    missing = 0
    expect((await ask()).text).toContain('There is more than is read at once')
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
