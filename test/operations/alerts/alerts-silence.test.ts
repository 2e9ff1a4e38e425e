import { beforeEach, describe, expect, it, test } from 'vitest'
import { alertsRemove } from '../../../src/operations/alerts/alerts-remove.ts'
import { alertsSilence, alertsUnsilence } from '../../../src/operations/alerts/alerts-silence.ts'
import { checkContext, NOW, problemsOf } from '../../support/operation-context.ts'
import { buttonValues } from '../../support/ask.ts'
import { createAlertsBench, ZONES } from './alerts-bench.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const bench = forEachTest(createAlertsBench)
beforeEach(async () => {
  await bench.rule({})
  await bench.rule({ kind: 'storage-change', subject: 'storage/*' })
  await bench.rule({ subject: 'pull/302', channelId: 'C2' })
})

const HOUR_MS = 3_600_000
const NOT_TO_COME = 'until: Until is not a time to come within 30 days. Give it as morning, 17:30 or 2026-11-20T17:30Z.'
const silences = async () =>
  (await bench.store.silences.list(NOW)).map(({ subject, kind, channelId, until }) => ({
    subject,
    kind,
    channelId,
    hours: (until.getTime() - NOW.getTime()) / HOUR_MS,
  }))
const problems = (values: Record<string, string>, timeZone = 'UTC') =>
  problemsOf(alertsSilence, values, checkContext({ zones: ZONES, timeZone }))

describe('a silence', () => {
  it('needs a zone where its form is filled in, which names no incident', () => {
    expect(alertsSilence.form?.map(({ wording }) => wording?.({}))).toEqual([{ zone: { needed: true } }])
  })

  it('holds back what this channel hears of a zone, for an hour unless said otherwise', async () => {
    const { text } = await bench.ask(alertsSilence, { zone: '301', reason: 'Known.' })
    expect(await silences()).toEqual([{ subject: 'pull/301', kind: undefined, channelId: 'C1', hours: 1 }])
    expect(text).toBe(
      '🔕 Silenced until 2026-11-20 13:00 UTC by U1: everything about pull zone shop (301).\nWhy: Known.',
    )
    expect((await bench.record())[0]).toEqual([
      'alert_silenced',
      'Silenced all alerts of pull/301 in C1 until 2026-11-20T13:00:00.000Z',
    ])
  })

  it('is of everything of the channel where that is asked for, of one kind and as long as it is said', async () => {
    await bench.rule({ kind: 'traffic-gone' })
    const { text, buttons } = await bench.ask(alertsSilence, { zone: 'all', kind: 'origin-failing', for: '8h' })
    const held = { kind: 'origin-failing', channelId: 'C1', hours: 8 }
    const subjects = ['pull/301', 'storage/*']
    expect(await silences()).toEqual(subjects.map((subject) => ({ subject, ...held })))
    expect(text).toBe(
      '🔕 Silenced until 2026-11-20 20:00 UTC by U1: Origin failing for pull zone shop (301), Origin failing for every storage zone with a name.',
    )
    const ids = (await bench.store.silences.list(NOW)).map(({ id }) => id)
    const values = { ids: ids.join(',') }
    expect(buttons).toEqual([{ kind: 'page', label: 'Undo', operation: 'alerts unsilence', values }])
    expect((await bench.record()).slice(0, 2)).toEqual(
      subjects
        .toReversed()
        .map((subject) => [
          'alert_silenced',
          `Silenced origin-failing of ${subject} in C1 until 2026-11-20T20:00:00.000Z`,
        ]),
    )
  })

  it('is of at most fifty things, and names five', async () => {
    for (let each = 0; each < 48; each += 1) await bench.rule({ subject: `pull/${1_000 + each}` })
    expect((await bench.ask(alertsSilence, { zone: 'all' })).text).toMatch(
      /by U1: (?:everything[^,]*, ){4}everything[^,]* and 45 more\.$/,
    )
    await bench.rule({ subject: 'pull/2000' })
    expect(await bench.refusal(alertsSilence, { zone: 'all' })).toBe(
      'This channel hears about 51 things; at most 50 are silenced at once. Nothing was done. Name the zones one by one.',
    )
  })

  it('by a name means what of it the channel hears: also one of every storage zone', async () => {
    await bench.ask(alertsRemove, { what: '301' })
    await bench.ask(alertsSilence, { zone: 'shop' })
    expect((await silences()).map(({ subject }) => subject)).toEqual(['storage/101'])
  })

  it('of an incident is of what it is about, where it is told, wherever it is asked for', async () => {
    await bench.incident('abcd'.repeat(8), [{}])
    await bench.ask(alertsSilence, { incident: 'abcd', until: 'morning' }, { channelId: 'D1' })
    expect(await silences()).toEqual([{ subject: 'pull/301', kind: undefined, channelId: 'C1', hours: 20 }])
  })

  it('of a kind, or of a zone, is another one each time it is asked for', async () => {
    await bench.incident('abcd'.repeat(8), [{}])
    const kind = 'origin-failing'
    for (const values of [{ incident: 'abcd' }, { incident: 'abcd', kind }, { zone: 'shop' }, { zone: 'shop', kind }]) {
      const { text } = await bench.ask(alertsSilence, { ...values, for: '1h' })
      expect(text).toContain('Silenced until 2026-11-20 13:00 UTC by U1')
    }
    expect(await silences()).toHaveLength(4)
  })

  it('of an incident is one, however often it is asked for, and the message says so at once each time it changes', async () => {
    await bench.incident('abcd'.repeat(8), [{}])
    const revision = async () => (await bench.store.alerts.incident('abcd'.repeat(8)))?.revision
    const [before, first] = [await revision(), await bench.ask(alertsSilence, { incident: 'abcd', for: '1h' })]
    expect(first.text).toContain('Silenced until 2026-11-20 13:00 UTC by U1')
    expect(await revision()).toBe(Number(before) + 1)
    const again = await bench.ask(alertsSilence, { incident: 'abcd', for: '8h' })
    expect(again.text).toBe(
      '🔕 Silenced already until 2026-11-20 13:00 UTC by U1: everything about pull zone shop (301).',
    )
    const end = {
      label: 'End it',
      operation: 'alerts unsilence',
      values: { ids: (await bench.store.silences.list(NOW))[0]?.id },
    }
    expect(again.buttons).toEqual([{ kind: 'page', ...end }])
    expect(await silences()).toMatchObject([{ hours: 1 }])
    expect(await revision()).toBe(Number(before) + 1)
    const events = (await bench.record()).map(([event]) => event)
    expect(events.filter((event) => event === 'alert_silenced')).toHaveLength(1)
    expect((await bench.ask(alertsUnsilence, { incident: 'abcd' })).text).toBe(
      '🔔 Silence ended by U1: everything about pull zone shop (301).',
    )
    expect(await silences()).toEqual([])
    expect(await revision()).toBe(Number(before) + 2)
    const old = await bench.refusal(alertsUnsilence, buttonValues(first, 'Undo'))
    expect(old).toMatch(
      /^No silence is in force here for [0-9a]{32} any more, so nothing was ended\. See them: \/cdn alerts list$/,
    )
    expect(await bench.refusal(alertsUnsilence, { incident: 'abcd' })).toContain('force here any more')
  })

  it('of an incident ends with all that keep it quiet where it is told, and no others', async () => {
    await bench.incident('abcd'.repeat(8), [{}])
    const held = [
      ['a', 'pull/301', 'C1'],
      ['b', 'pull/301', undefined],
      ['c', 'pull/301', 'C2'],
      ['d', 'pull/302', 'C1'],
      ['e', 'pull/302', undefined],
    ] as const
    for (const [id, subject, channelId] of held) {
      const entry = { at: NOW, actor: 'U1', team: 'T1', operation: 'alerts silence', summary: 'Silenced' }
      const record = { id, subject, channelId, from: NOW, until: new Date(NOW.getTime() + HOUR_MS), by: 'U1' }
      await bench.store.silences.add([record], () => ({ ...entry, event: 'alert_silenced' }))
    }
    await bench.ask(alertsUnsilence, { incident: 'abcd' })
    expect((await bench.store.silences.list(NOW)).map(({ id }) => id).toSorted()).toEqual(['c', 'd', 'e'])
  })

  test.each([
    ['UTC', 'morning', 20],
    ['Europe/Berlin', 'morning', 19],
    ['America/New_York', 'morning', 1],
    ['Asia/Kathmandu', '17:50', 5 / 60],
    ['UTC', '12:00', 24],
    ['UTC', '2026-11-20T12:30Z', 0.5],
  ])('until a time is by the clock of whoever asks: %s %s', async (timeZone, until, hours) => {
    const parsed = alertsSilence.fields['until']?.read(until, checkContext({ timeZone }))
    const value = parsed?.ok === true && parsed.value instanceof Date ? parsed.value : new Date(Number.NaN)
    expect((value.getTime() - NOW.getTime()) / HOUR_MS).toBeCloseTo(hours, 5)
  })

  test.each([
    [{}, 'zone: Say what to silence: a zone, or all.'],
    [{ zone: '301', for: '1h', until: 'morning' }, 'until: Give --for or --until, not both.'],
    [{ incident: 'abcd', for: '1h', until: 'morning' }, 'until: Give --for or --until, not both.'],
    [{ zone: '301', incident: 'abcd' }, 'incident: Give a zone or an incident, not both.'],
    [{ zone: '301', for: '31d' }, 'for: For is a length of time from 1m to 30d, such as 90m, 8h or 2d.'],
    [{ zone: '301', for: '30s' }, 'for: For is a length of time from 1m to 30d, such as 90m, 8h or 2d.'],
    [{ zone: '301', until: '2026-11-20T11:59Z' }, NOT_TO_COME],
    [{ zone: '301', until: '2026-12-21T12:00Z' }, NOT_TO_COME],
    [{ zone: 'shopp' }, 'zone: No zone is named shopp. Did you mean shop? There is also blog.'],
  ])('is refused where it makes no sense: %o', (values, said) => {
    expect(problems(values)).toEqual([said])
  })

  it('is refused where the channel hears nothing of it, or is none', async () => {
    expect(await bench.refusal(alertsSilence, { zone: 'blog' })).toBe(
      'This channel has no alerts about blog, so nothing was silenced. See what it gets: /cdn alerts list',
    )
    expect(await bench.refusal(alertsSilence, { zone: 'all' }, { channelId: 'C9' })).toContain('has no alerts, so')
    expect(await bench.refusal(alertsSilence, { zone: '301' }, { channelId: 'D1' })).toContain('here is none')
    expect(await bench.refusal(alertsSilence, { incident: 'ffff' })).toContain(
      'There is no open incident with the id ffff',
    )
    expect(await silences()).toEqual([])
  })

  it('has its effect once, however often the delivery comes', async () => {
    const once = { key: 'click:1', notAfterMs: Number.POSITIVE_INFINITY }
    await bench.ask(alertsSilence, { zone: 'all' }, { once })
    expect(await bench.refusal(alertsSilence, { zone: 'all' }, { once })).toContain('This was done already')
    expect(await silences()).toHaveLength(2)
  })
})

describe('the end of a silence', () => {
  it('comes by Undo for all that were begun with it', async () => {
    await bench.ask(alertsUnsilence, buttonValues(await bench.ask(alertsSilence, { zone: 'all' }), 'Undo'))
    expect(await silences()).toEqual([])
    expect((await bench.record()).slice(0, 2)).toEqual(
      ['storage/*', 'pull/301'].map((subject) => ['alert_unsilenced', `Ended the silence of ${subject}`]),
    )
    expect(problemsOf(alertsUnsilence, {})).toEqual(['ids: Say which silence to end: a zone, or all.'])
    expect(alertsUnsilence.parse({}, checkContext())).toMatchObject({ issues: [{ missing: true }] })
  })

  it('comes by the zone or for all of the channel, as it was given', async () => {
    await bench.ask(alertsSilence, { zone: '301', kind: 'origin-failing' })
    await bench.ask(alertsSilence, { zone: '301' })
    await bench.ask(alertsSilence, { zone: 'all' })
    await bench.ask(alertsSilence, { zone: '302' }, { channelId: 'C2' })
    const { text } = await bench.ask(alertsUnsilence, { ids: 'shop' })
    expect(text).toBe(
      '🔔 Silence ended by U1: Origin failing for pull zone shop (301), everything about pull zone shop (301).',
    )
    expect((await silences()).map(({ subject }) => subject).toSorted()).toEqual(['pull/302', 'storage/*'])
    await bench.ask(alertsUnsilence, { ids: 'all' })
    expect((await silences()).map(({ subject }) => subject)).toEqual(['pull/302'])
    expect(await bench.refusal(alertsUnsilence, { ids: 'shop' })).toContain('nothing was ended')
  })

  it('comes by the first digits of an id, and not where none has them', async () => {
    await bench.ask(alertsSilence, { zone: '301' })
    const [{ id } = { id: '' }] = await bench.store.silences.list(NOW)
    expect(await bench.refusal(alertsUnsilence, { ids: 'dead' })).toContain('nothing was ended')
    const { text } = await bench.ask(alertsUnsilence, { ids: id.slice(0, 8) })
    expect(text).toContain('pull zone shop (301)')
    expect(await silences()).toEqual([])
  })
})
