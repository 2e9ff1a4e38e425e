import { describe, expect, it } from 'vitest'
import { audit, describeEvent } from '../../../src/operations/audit/audit.ts'
import { AUDIT_EVENTS } from '../../../src/store/schema/audit-entry.ts'
import { drawn } from '../../support/drawn.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { buttonValues, storeForEachTest } from '../../support/ask.ts'
import { invocationOf, operationContext, problemsOf } from '../../support/operation-context.ts'
import { entry } from '../../store/harness.ts'

const { ask, type, store, harness } = storeForEachTest()

/** Numbers of the entries in the table, as it stands. */
const entriesIn = ({ rows }: Awaited<ReturnType<typeof ask>>) => rows.map(([cell]) => Number(cell))
const countDown = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => from - n)
const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 10, minute))

async function someEntries(): Promise<void> {
  const { audit: record } = store()
  await record.append(entry('requested', { actor: 'U0OLGA', at: at(1), changeId: 'c1' }))
  await record.append(entry('approval', { actor: 'U0OTTO', at: at(2), changeId: 'c1', detail: 'as operator' }))
  await record.append(entry('zone_added', { actor: 'U0OTTO', at: at(3), operation: 'zones add' }))
  await record.append(entry('unknown', { actor: 'cdn-ops', at: at(4) }))
}

describe('showing the record', () => {
  it('has the newest entry first, in words, with who the ids are', async () => {
    await someEntries()
    const answer = await type('audit')
    expect(entriesIn(answer)).toEqual([4, 3, 2, 1])
    expect(answer.text).toContain('4 entries of the audit log, the newest first, as of 2026-11-20 12:00 UTC')
    expect(answer.text).toContain(
      'Entry 2, Time 2026-11-20 10:02:00, Who U0OTTO, What happened approved by one person, Operation dns add, Summary It is approval, Detail as operator, Change c1',
    )
    expect(drawn(answer.message).slice(1)).toEqual([
      'data_table',
      '~ Times are in UTC.',
      '~ `U0OTTO` is <@U0OTTO>, `U0OLGA` is <@U0OLGA>.',
      '~ Whether all of it is as it was written: `/cdn audit verify`',
    ])
    expect(answer.table?.caption).toBe('Entries of the audit log')
    expect(answer.labels).toEqual(['CSV file'])
  })

  it('says who and which channel the ids in its texts are, too', async () => {
    await store().audit.append(
      entry('alert_added', { actor: 'U0OLGA', summary: 'Watch 301 in C0OPS00001', detail: 'by U0OTTO' }),
    )
    expect((await type('audit')).said).toContain(
      '`U0OLGA` is <@U0OLGA>, `C0OPS00001` is <#C0OPS00001>, `U0OTTO` is <@U0OTTO>.',
    )
  })

  it.each([
    ['audit <@U0OTTO|otto>', [3, 2]],
    ['audit list --who U0OTTO --operation "zone add"', [3]],
    ['audit dns add', [4, 2, 1]],
    ['audit @U0OTTO dns add', [2]],
    ['audit --since 2026-11-20T10:02Z --until 2026-11-20T10:04Z', [3, 2]],
    ['audit --before 3', [2, 1]],
  ])('finds what was asked for: %s', async (typed, found) => {
    await someEntries()
    expect(entriesIn(await type(typed))).toEqual(found)
  })

  it('says what was asked for when nothing fits, and what an operation may have meant', async () => {
    await someEntries()
    const nobody = await type('audit @U0SAM dns add')
    expect(nobody.text).toBe('There is no entry of somebody about dns add in the audit log.')
    expect(nobody.said).toContain('*There is no entry* of <@U0SAM> about dns add')
    expect(nobody.buttons).toEqual([{ kind: 'page', label: 'Show all entries', values: {} }])
    expect((await type('audit dns ad --until 2026-11-01')).text).toBe(
      'There is no entry about dns ad until 2026-11-01 00:00:00 in the audit log. There is no operation called dns ad, and nobody of that name was found. Did you mean dns add?\nTimes are in UTC.',
    )
    await expect(type('audit zones')).rejects.toMatchObject({
      message: 'zones is several operations, so nothing was read.',
      hint: expect.stringContaining('Name one of them: zones add, zones list'),
    })
  })

  it('finds somebody by a name that was typed without its @, and no group', async () => {
    await someEntries()
    const findNamed = async (name: string) =>
      name === 'Otto Kimura'
        ? [
            { id: 'S0OTTO', name: '@otto-fans' },
            { id: 'U0OTTO', name: '@otto' },
          ]
        : []
    const answer = await type('audit Otto Kimura', { findNamed })
    expect(entriesIn(answer)).toEqual([3, 2])
    expect(answer.said).toContain('of <@U0OTTO>')
    const several = await type('audit U0OTTO Otto Kimura', { findNamed })
    expect(several.text).toBe(
      "There is no entry of somebody about Otto Kimura in the audit log. There is no operation called Otto Kimura. For a person, type @ and pick from Slack's list.",
    )
  })

  it('says of a name that several bear, or nobody, how to pick who is meant', async () => {
    const findNamed = async () => [
      { id: 'U0VERA', name: '@vera' },
      { id: 'U0VERA2', name: '@vera.k' },
    ]
    await expect(type('audit Vera', { findNamed })).rejects.toMatchObject({
      message: 'Vera is several people, so nothing was read.',
      hint: 'Name one of them: @vera, @vera.k',
    })
    expect((await type('audit Vera')).text).toBe(
      "There is no entry about Vera in the audit log. There is no operation called Vera, and nobody of that name was found. For a person, type @ and pick from Slack's list.",
    )
  })

  it('finds entries of an operation that is no more, by its name', async () => {
    await store().audit.append(entry('done', { operation: 'stream purge' }))
    expect(entriesIn(await type('audit stream purge'))).toEqual([1])
  })

  it('shows an event of a newer version by its own name', async () => {
    await someEntries()
    await harness().sql(`update audit_entries set event = 'frobbed' where seq = 1`)
    expect((await type('audit')).text).toContain('What happened frobbed')
  })

  it('has older entries behind a button that keeps what was asked for', async () => {
    for (let n = 0; n < 27; n++) await store().audit.append(entry('read', { at: at(n) }))
    const first = await type('audit --since 150m')
    expect(first.text).toMatch(/^25 entries of the audit log since 2026-11-20 09:30:00, the newest first/)
    expect(entriesIn(first)).toEqual(countDown(27, 3))
    expect(first.text).toContain('There are older entries that match and are not shown here.')
    const older = buttonValues(first, 'Older')
    expect(older).toEqual({ since: '2026-11-20T09:30:00.000Z', before: '3' })
    const last = await ask(audit, older)
    expect(entriesIn(last)).toEqual([2, 1])
    expect(last.text).not.toContain('older entries')
    expect(last.labels).toEqual(['CSV file'])
  })

  it.each([
    ['s'.repeat(200), 'd'.repeat(200), false],
    ['s'.repeat(201), 'd', true],
    ['s', 'd'.repeat(201), true],
  ])('says that texts are cut where one has more than 200 characters: %#', async (summary, detail, isCut) => {
    await store().audit.append(entry('denied', { summary, detail }))
    expect((await type('audit')).text.includes('Long texts are cut in the table')).toBe(isCut)
  })

  it('cuts long texts, says so, and shows what finds room with the rest behind the button', async () => {
    for (let n = 0; n < 25; n++) {
      const [summary, detail] = [`<!channel> ${'s'.repeat(1_900)}`, 'd'.repeat(1_990)]
      await store().audit.append(
        entry('denied', { summary, detail, operation: 'o'.repeat(200), actor: 'a'.repeat(200) }),
      )
    }
    const answer = await type('audit')
    expect(answer.text).toContain('Long texts are cut in the table; a CSV file has them whole.')
    expect(answer.rows[0]?.slice(5, 7)).toEqual([`<!channel> ${'s'.repeat(188)}…`, `${'d'.repeat(199)}…`])
    const shown = [...entriesIn(answer)]
    expect(shown.length).toBeGreaterThan(5)
    for (let page = answer; page.labels.includes('Older');) {
      page = await ask(audit, buttonValues(page, 'Older'))
      shown.push(...entriesIn(page))
    }
    expect(shown).toEqual(countDown(25, 1))
  })
})

it('has words for what happened', () => {
  const [first, rest] = [AUDIT_EVENTS.slice(0, 17), AUDIT_EVENTS.slice(17)]
  expect(first.map(describeEvent).join('; ')).toBe(
    'read; refused or declined; asked for; approved by one person; approved, to be sent; went without approval, with a reason; cancelled; expired; being sent; done; refused by the CDN; not sent; unknown whether it happened; settled: it did not happen; zone name added; zone name removed; roles changed',
  )
  expect(rest.map(describeEvent).join('; ')).toBe(
    'policy changed; alert rule added; alert rule changed; alert rule removed; alert rule paused; alert rule resumed; alert acknowledged; alert taken over; alert released; note on an alert; alert answered: not a problem; alerts silenced; silence ended; deploy or purge marked; mark removed; digest of a channel set; API keys changed; asked for access',
  )
})

describe('the file', () => {
  it('has every entry that fits, with its hash, and nothing that a spreadsheet would run', async () => {
    for (let n = 0; n < 30; n++) await store().audit.append(entry('read', { summary: '=1+1', detail: 'x'.repeat(900) }))
    const { file, records, text, progress, labels } = await type('audit --csv')
    expect([file?.name, file?.title]).toEqual(['audit-2026-11-20.csv', 'Entries of the audit log'])
    expect(records[0]).toBe('entry,time_utc,who,team,event,operation,change,summary,detail,mac')
    expect(records).toHaveLength(31)
    expect(records[1]).toMatch(/^30,2026-11-20T10:00:00\.123Z,U1,T1,read,dns add,,'=1\+1,x{900},[0-9a-f]{64}$/)
    expect(text).toContain('The file, sent to your direct messages, has all 30 entries that match.')
    expect(progress).toEqual([])
    expect(labels).toEqual(['Older'])
  })
})

describe('asking for the record', () => {
  it('is for admins and is itself on record, with what was asked for', () => {
    const values = { who: 'U0OTTO', operation: 'dns add', since: '2026-11-19', until: '2026-11-20', before: '7' }
    const { effect, minimumRole, sentence } = invocationOf(audit, values)
    expect(invocationOf(audit, { until: '2026-11-20' }).sentence).toBe(
      'Read the audit log until 2026-11-20T00:00:00.000Z',
    )
    expect([effect, minimumRole]).toEqual(['sensitive read', 'admin'])
    expect(sentence).toBe(
      'Read the audit log of U0OTTO about dns add since 2026-11-19T00:00:00.000Z until 2026-11-20T00:00:00.000Z, before entry 7',
    )
  })

  it.each<[RawValues, string]>([
    [{ since: '2026-11-21' }, 'since: Since lies in the future.'],
    [{ since: '2026-11-20', until: '2026-11-20' }, 'until: Until must lie after since.'],
    [{ before: '0' }, 'before: Before must be a whole number'],
  ])('refuses %j', (values, problem) => {
    expect(problemsOf(audit, values)).toEqual([expect.stringContaining(problem)])
  })

  it('tells times as the reader reads them', async () => {
    await someEntries()
    const actor = { ...operationContext().actor, timeZone: 'Europe/Berlin' }
    const { text, said } = await type('audit', { actor })
    expect(text).toContain('Time 2026-11-20 11:04:00')
    expect(said).toContain('Times are in Europe/Berlin.')
  })
})
