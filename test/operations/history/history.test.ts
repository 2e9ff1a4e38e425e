import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { IncidentAlert, IncidentDoc } from '../../../src/alerts/state/incident.ts'
import { history } from '../../../src/operations/history/history.ts'
import type { OperationContext } from '../../../src/operations/declaration/operation.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import type { IncidentWrite, SilenceRecord } from '../../../src/store/schema/alert-records.ts'
import { type AlertBench, alertBench } from '../../alerts/alert-bench.ts'
import { look } from '../../store/alert-fixtures.ts'
import { shortId } from '../../../src/shared/short-id.ts'
import { changeIn, entry } from '../../store/harness.ts'
import { ask as askOf, buttonValues } from '../../support/ask.ts'
import { invocationOf, NOW, operationContext, problemsOf } from '../../support/operation-context.ts'
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
  return bench.store.silences.add([record], () => entry('alert_silenced'))
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
    for (const text of ['the disk was full', 'it is empty']) await bench.store.alerts.note(first, text, noted)
    await incident('b', [160, 140], { subject: 'storage/101' }, { kind: 'storage-change' })
    await silence('s1', 'pull/201', { channelId: 'C1', from: ago(100), until: ago(40), reason: 'known' })
    const answer = await ask()
    const { text, said, labels } = answer
    expect(text.split('\n')).toEqual([
      '2 incidents in 12 h, 40 min in trouble; all are over. Also 1 mark, 1 silence.',
      '2026-11-20 08:40 UTC 📍 pull zone shop (201): deploy 1.42 · marked by somebody',
      '2026-11-20 09:00 UTC ✅ pull zone shop (201): Origin failing for 30 min, worst 31 % · looked after by somebody after 4 min · origin answers again · “the disk was full” (somebody) · “it is empty” (somebody) · Open (https://slack.com/app_redirect?team=T1&amp;channel=C1)',
      '2026-11-20 09:20 UTC ✅ storage zone shop (101): Storage growing or jumping for 20 min, worst 31 % · nobody acknowledged it · origin answers again · Open (https://slack.com/app_redirect?team=T1&amp;channel=C1)',
      '2026-11-20 10:20 UTC 🔕 everything about pull zone shop (201) until 2026-11-20 11:20 UTC · silenced by somebody: known',
    ])
    for (const person of ['U222', 'U333']) expect(said).toContain(`<@${person}>`)
    expect(labels).toEqual(['CSV file', 'Last 7 days'])
    expect(buttonValues(answer, 'Last 7 days')).toEqual({ since: '2026-11-13T12:00:00.000Z' })
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
    expect(text).toMatch(/^No incident is known about promo in 12 h: it is not watched\. Also 1 write to the CDN\.\n/)
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
    await bench.store.audit.append({ ...changed('999'), actor: 'cdn-ops' })
    await bench.store.audit.append(entry('read'))
    const { text, said } = await ask()
    expect(text).toContain(
      '🔔 Change origin-failing for pull zone x (201) (warning 25 %, critical 201 %) · by somebody',
    )
    expect(said).toContain('(999) (warning 25 %, critical 201 %) · by cdn-ops')
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
      'No incident is known from 2026-11-20 08:40 UTC to 2026-11-20 10:20 UTC: nothing is watched.',
    )
    expect((await ask({ since: ago(80).toISOString() })).text).toMatch(/^1 incident in 1 h 20 min, 20 min in trouble/)
  })

  it('tells of changes who asked, who approved, what became of them and where it stands, without their values', async () => {
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
      'No incident is known in 12 h: nothing is watched. Also 1 write to the CDN.\n2026-11-20 12:00 UTC  Add an A record www: declined by somebody · asked by somebody · approved by somebody',
    )
    expect(said).toMatch(/<@U444> · asked by <@U222> · approved by <@U333>/)
    expect(shown).not.toMatch(/canary|Not asked/)
    await bench.store.changes.shown(id, { revision: 9, channel: 'C5', ts: '1764.0001' })
    const there =
      'approved by somebody · Open (https://slack.com/app_redirect?team=T1&amp;channel=C5&amp;message_ts=1764.0001)'
    expect((await ask()).text).toContain(there)
    expect((await ask({ csv: 'true' })).records[1]).toBe(
      `2026-11-20T12:00:00.000Z,change,,Add an A record www,2026-11-20T12:00:00.000Z,,,,,U222,U333,declined,C5,${shortId(id)}`,
    )
  })

  it('counts no write that was cancelled before anybody was asked for it', async () => {
    const { id } = await changeIn(bench.store, bench.clock, 'draft')
    const cancelled = { from: ['draft'], to: 'cancelled', now: NOW, audit: entry('cancelled') } as const
    expect(await bench.store.changes.move(id, cancelled)).toBeDefined()
    expect((await ask()).text).not.toContain('write')
  })

  it('reads writes page by page, each behind the last of the one before', async () => {
    const done = await change('Write', 'shop')
    const behind: unknown[] = []
    const list = async ({ before }: { readonly before?: { readonly id: string } | undefined }) => {
      behind.push(before?.id)
      return Array.from({ length: behind.length < 3 ? 100 : 1 }, (_, index) => ({
        ...done,
        id: `${behind.length}/${index}`,
      }))
    }
    const store = { ...bench.store, changes: Object.assign(Object.create(bench.store.changes), { list }) }
    expect((await ask({}, { store })).text).toContain('Also 201 writes to the CDN.')
    expect(behind).toEqual([undefined, '1/99', '2/99'])
  })

  it('says no worst value where none is known', async () => {
    await incident('a', [20, 10], {}, { peak: undefined })
    expect((await ask()).text).toContain('Origin failing for 10 min · nobody')
  })

  it('tells what was over as the time began, or began as it was over', async () => {
    await incident('a', [60, 30])
    const times = async (since: number, until: number) =>
      (await ask({ since: ago(since).toISOString(), until: ago(until).toISOString() })).text.split(' in ')[0]
    expect(await times(30, 10)).toMatch(/^1 incident/)
    expect(await times(29, 10)).toMatch(/^No incident/)
    expect(await times(90, 60)).toMatch(/^1 incident/)
    expect(await times(90, 61)).toMatch(/^No incident/)
  })

  it('leaves out what another zone did', async () => {
    await incident('a', [20, 10])
    await incident('b', [20, 10], { subject: 'pull/202' })
    await change('Here', 'shop')
    // Shop is a name of storage zone 101, too.
    for (const zone of ['77', '101']) await change('Elsewhere', zone)
    const gone = { sentence: 'Elsewhere', operation: 'gone add', values: { zone: 'shop' } }
    await changeIn(bench.store, bench.clock, 'done', gone)
    for (const zone of ['201', '202']) await mark(`m${zone}`, 5, `deploy of ${zone}`, zone)
    await silence('s1', 'storage/*')
    await silence('s2', 'pull/202')
    const { text } = await ask({ zone: ' SHOP ' })
    expect(text).toMatch(
      /^1 incident about SHOP in 12 h, 10 min in trouble; it is over\. Also 1 mark, 1 silence, 1 write to the CDN\.\n/,
    )
    expect(text).not.toMatch(/\(202\)|of 202|Elsewhere/)
    expect((await ask({ zone: '202' })).text).toMatch(/^1 incident .* Also 1 mark, 2 silences\.\n/)
    expect(invocationOf(history, { zone: 'SHOP' }).sentence).toBe('Tell what happened to zone SHOP')
    expect(invocationOf(history, {}).sentence).toBe('Tell what happened')
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

  it('gives each of what happened as a line of the file, with all that is known of it', async () => {
    bench.clock.turn(0)
    await bench.store.audit.append(entry('alert_added', { at: ago(300), actor: 'U222', summary: 'Add a rule' }))
    await mark('m1', 200, 'deploy 1.42')
    const id = await incident('a', [180.4, 150], { channelId: 'C2' }, {}, { acknowledged: 176 })
    for (const [index, text] of ['disk', 'z'.repeat(101), 'full'].entries())
      await bench.store.alerts.note(id, text, { person: 'U333', at: ago(170 - index), entry: entry('alert_noted') })
    await silence('s1', 'pull/201', { channelId: 'C2', from: ago(100), until: ago(40), kind: 'origin-failing' })
    const event = { kind: 'api-keys-changed', title: 'key 7 is new', peak: undefined }
    await incident('e', [20, 20], { subject: 'account' }, event, { nature: 'event' })
    const { records, text, file, labels } = await ask({ csv: 'true' })
    expect(records.slice(1)).toEqual([
      '2026-11-20T07:00:00.000Z,rule change,,Add a rule,,,,,,U222,,,,',
      '2026-11-20T08:40:00.000Z,mark,pull zone shop (201),deploy 1.42,,,,,,U222,,,,m1',
      `2026-11-20T08:59:36.000Z,incident,pull zone shop (201),Origin failing; U333: disk; U333: ${'z'.repeat(101)}; U333: full,2026-11-20T09:30:00.000Z,30,31 %,U333,4,,,origin answers again,C2,a0000000`,
      '2026-11-20T10:20:00.000Z,silence,Origin failing for pull zone shop (201),,2026-11-20T11:20:00.000Z,,,,,U222,,,C2,s1',
      '2026-11-20T11:40:00.000Z,event,the account,API keys changed,2026-11-20T11:40:00.000Z,,,,,,,key 7 is new,C1,e0000000',
    ])
    expect([file?.title, labels]).toEqual(['What happened', ['Last 7 days']])
    expect(text).toMatch(/^1 incident in .* Also 1 rule change, 1 mark, 1 silence, 1 event\.\n/)
    expect(text).toContain('🔵 the account: API keys changed · key 7 is new · Open')
    expect(text).toContain(
      `· in C2 · looked after by somebody after 4 min · origin answers again · “disk” (somebody) · “${'z'.repeat(99)}…” (somebody) · 1 more note · Open`,
    )
    expect(text).toContain(
      '🔕 Origin failing for pull zone shop (201) until 2026-11-20 11:20 UTC · in C2 · silenced by somebody\n',
    )
    expect(text).toContain('The file, sent to your direct messages, has all 5 lines.')
  })

  it.each(['marks', 'changes', 'rule changes'])(
    'says where there may be more %s than are read at once',
    async (what) => {
      const many = (limit: number) => Array.from({ length: limit - missing }, (_, each) => each)
      const at = ago(5)
      let missing = 1
      if (what === 'marks')
        vi.spyOn(bench.store.marks, 'between').mockImplementation(async ({ limit }) =>
          many(limit).map((each) => ({ id: `m${each}`, pullZoneId: '201', at, text: 'deploy', by: 'U222' })),
        )
      else if (what === 'changes') {
        const one = await change('Add', 'shop')
        vi.spyOn(bench.store.changes, 'list').mockImplementation(async ({ limit }) => many(limit).map(() => one))
      } else
        vi.spyOn(bench.store.audit, 'list').mockImplementation(async ({ limit }) =>
          many(limit).map((seq) => ({ ...entry('alert_changed'), seq, at, hash: '' })),
        )
      expect((await ask()).text).not.toContain('There is more')
      missing = 0
      expect((await ask()).text).toContain('There is more than is read at once')
    },
  )

  it('names whom a rule calls, and calls no group by it', async () => {
    const summary = `Watch pull zone shop (201); calls S0123456789, calls U0123456789 after 20 min`
    await bench.store.audit.append(entry('alert_changed', { summary, actor: 'U222', at: ago(10) }))
    const { text, message } = await ask()
    expect(text).toContain('calls a user group, calls somebody after 20 min')
    expect(JSON.stringify(message.blocks)).toContain('calls <@U0123456789> after 20 min')
    expect(JSON.stringify(message.blocks)).not.toContain('S0123456789')
  })

  it('says that nothing was, and not that nothing could be known', async () => {
    await bench.watch('pull/201', 'origin-failing')
    expect((await ask({ since: '7d' })).text).toMatch(/^No incident in 7 d\. Also 1 rule change\./)
    expect((await ask({ zone: '201', since: '7d' })).text).toMatch(/^No incident about 201 in 7 d\./)
    expect((await ask({ zone: '202', since: '7d' })).text).toBe(
      'No incident is known about 202 in 7 d: it is not watched.',
    )
  })

  it('says of a long time what is not kept for so long, and refuses one that is longer than anything is kept', async () => {
    expect((await ask({ since: '7d' })).text).toBe('No incident is known in 7 d: nothing is watched.')
    const long = await ask({ since: '8d' })
    expect(long.text).toBe(
      'No incident is known in 8 d: nothing is watched.\nMarks are kept for 15 days, and silences for 7 days after their end.',
    )
    expect([long.labels, (await ask({ since: '7d' })).labels]).toEqual([[], []])
    expect((await ask({ until: '1h' })).labels).toEqual([])
    expect((await ask({ until: '2026-11-21' })).text).toContain(' to 2026-11-20 12:00 UTC: nothing is watched.')
    expect(problemsOf(history, { since: '90d' })).toEqual([])
    expect(problemsOf(history, { since: '91d' })).toEqual([
      'since: Since lies more than 90 days back; incidents are not kept for longer.',
    ])
    expect(problemsOf(history, { since: '2026-12-01' })).toEqual(['since: Since lies in the future.'])
    expect(problemsOf(history, { since: '1h', until: '2h' })).toEqual(['until: Until must lie after since.'])
    expect(problemsOf(history, { since: '1h', until: '1h' })).toEqual(['until: Until must lie after since.'])
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

describe('how bad it was', () => {
  it('is at least that where more is there than is read at once', async () => {
    const doc = { alerts: [], nature: 'incident', cycle: 1, samples: [], trend: [] }
    const record = { id: 'i1', subject: 'pull/201', channelId: 'C1', openedAt: ago(60), endedAt: ago(30), doc } as const
    vi.spyOn(bench.store.alerts, 'incidents').mockImplementation(async ({ limit }) =>
      Array.from({ length: limit ?? 0 }, () => record as never),
    )
    const { text } = await ask()
    expect(text).toMatch(/^At least 2,000 incidents in 12 h, 30 min in trouble; all are over\.\n/)
    expect(text).toContain('There is more than is read at once; what is oldest is left out. Ask for less time.')
  })
})
