import { describe, expect, it } from 'vitest'
import { EvaluatedZone, NOON, rule } from '../evaluated-zone.ts'

const at = (minute: number): Date => new Date((NOON + minute) * 60_000)
const silence = { id: 's', subject: 'pull/301', by: 'U2', from: at(0), until: at(60) }

describe('an incident that nobody acknowledges', () => {
  const escalating = (more = {}) => rule('origin-failing', { mention: 'S1', escalate: 'U9', ...more })
  /** Who was called, by minute: first those who had been called before, then who is next. */
  const called = (zone: EvaluatedZone) =>
    zone
      .replies()
      .filter(({ mention, escalate }) => mention !== undefined || escalate !== undefined)
      .map(({ minute, mention, escalate }) => [minute, mention, escalate].filter(Boolean).join(' '))
  const HOLE = { stale: 0.28 }

  it.each([
    [5, ['7 U9', '17 S1']],
    [15, ['17 S1 U9']],
    [undefined, ['17 S1 U9']],
    [40, ['17 S1', '42 U9']],
  ])('is escalated once, after %s minutes', (minutes, told) => {
    const zone = new EvaluatedZone(escalating({ escalateAfterMs: minutes && minutes * 60_000 }))
    zone.look(200, HOLE)
    expect(called(zone)).toEqual(told)
  })

  it('is not escalated once somebody does, nor when it is over, nor while it is silenced', () => {
    const answered = new EvaluatedZone(escalating())
    answered.look(10, HOLE)
    answered.acknowledgedBy = 'U3'
    answered.look(60, HOLE)
    expect(called(answered)).toEqual([])
    const over = new EvaluatedZone(escalating())
    over.look(5, HOLE)
    over.look(60)
    expect(called(over)).toEqual([])
    const silent = new EvaluatedZone(escalating({ mention: undefined }))
    silent.look(10, HOLE)
    silent.silences = [silence]
    silent.look(45, HOLE)
    expect(called(silent)).toEqual([])
    silent.look(45, HOLE)
    expect(called(silent)).toEqual(['73 U9'])
  })

  it('calls everybody anew, and as long after, once the acknowledgement is taken back', () => {
    const zone = new EvaluatedZone(escalating())
    zone.look(20, HOLE)
    zone.acknowledgedBy = 'U3'
    zone.look(40, HOLE)
    zone.release()
    zone.look(60, HOLE)
    // Given up at minute 62, as people's clocks show it.
    expect(called(zone)).toEqual(['17 S1 U9', '77 S1 U9'])
    expect(new Set(zone.incidents().map(({ id }) => id)).size).toBe(1)
  })

  it('is escalated anew after a silence', () => {
    const zone = new EvaluatedZone(escalating({ mention: undefined }))
    zone.look(30, HOLE)
    zone.silences = [{ ...silence, from: at(30) }]
    zone.look(80, HOLE)
    expect(called(zone)).toEqual(['17 U9', '73 U9'])
  })

  it('is escalated anew when it begins again', () => {
    const zone = new EvaluatedZone(escalating({ mention: undefined }))
    zone.look(30, HOLE)
    zone.look(60)
    zone.look(30, HOLE)
    expect(zone.incidents()).toHaveLength(1)
    expect(called(zone)).toEqual([expect.stringMatching(/ U9$/), expect.stringMatching(/ U9$/)])
  })
})

describe('the end of an alert that is silenced and looked after', () => {
  /** From its beginning to its end, silenced for so many of the minutes after the outage. */
  function live(silencedMinutes: number) {
    const zone = new EvaluatedZone(rule('origin-failing'))
    zone.look(10, { stale: 0.28 })
    zone.acknowledgedBy = 'U3'
    let minutes = 0
    for (; zone.incidents()[0]!.endedAt === undefined; minutes += 1) {
      zone.silences = minutes < silencedMinutes ? [silence] : []
      zone.look(1)
    }
    return { minutes, replies: zone.replies() }
  }

  it('is said in its thread, with how long the silence lasts, unless that was ended just before', () => {
    const { minutes, replies } = live(60)
    expect(replies).toMatchObject([{ kind: 'ended', silencedUntilMs: at(60).getTime(), broadcast: false }])
    expect(live(minutes - 1).replies).toMatchObject([{ kind: 'ended', silencedUntilMs: undefined }])
  })
})
