import { describe, expect, it } from 'vitest'
import { EvaluatedZone, NOON, rule } from '../evaluated-zone.ts'

const at = (minute: number): Date => new Date((NOON + minute) * 60_000)
const silence = { id: 's', subject: 'pull/301', by: 'U2', from: at(0), until: at(60) }

/** An alert that somebody looks after, from its beginning to its end, silenced for so many of the minutes after the outage. */
function live(silencedMinutes: number) {
  const zone = new EvaluatedZone(rule('origin-failing'))
  zone.look(10, { stale: 0.28 })
  zone.acknowledgedBy = 'U3'
  let minutes = 0
  for (; zone.incidents()[0]!.endedAt === undefined; minutes += 1) {
    zone.silences = minutes < silencedMinutes ? [silence] : []
    zone.look(1)
  }
  const replies = zone.posts.filter(({ what }) => what === 'reply').map(({ body }) => body)
  return { minutes, replies }
}

describe('the end of an alert that is silenced and looked after', () => {
  it('is said in its thread, with how long the silence lasts', () => {
    const told = { kind: 'ended', silencedUntilMs: at(60).getTime(), broadcast: false }
    expect(live(60).replies).toMatchObject([told])
  })

  it('says nothing of a silence that was ended just before', () => {
    const { minutes } = live(60)
    expect(live(minutes - 1).replies).toMatchObject([{ kind: 'ended', silencedUntilMs: undefined }])
  })
})
