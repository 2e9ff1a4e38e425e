import { DAY_MS, MINUTE_MS } from '../../shared/durations.ts'
import { type DigestRecord, DIGEST_CADENCES } from '../../store/schema/alert-records.ts'
import { minuteFormat, isTimeZone, readerTimes } from '../declaration/reader-times.ts'
import { wordsMessage } from '../../block-kit/message.ts'
import { dateTime, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import type { AnswerButton } from '../declaration/answer.ts'
import { choice } from '../declaration/choice-field.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import { required, spelled, byLooks, isAnything, isClock } from '../declaration/fields.ts'
import { auditEntry, type OperationContext } from '../declaration/operation.ts'
import { sentenceStart } from '../declaration/prompt-words.ts'
import { channelForAlerts } from './watch-set.ts'

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type DigestTime = Pick<DigestRecord, 'cadence' | 'minute' | 'weekday' | 'timeZone'>

/**
 * The first moment after another one at which a digest is due: once on each of its days, also where clocks change. A time
 * that they leave out comes as much later; of one that they show twice the first counts.
 */
export function nextDigestAt(after: Date, { cadence, minute, weekday, timeZone }: DigestTime): Date {
  const format = minuteFormat(timeZone)
  // What clocks there show at a moment, as if they showed UTC.
  const showMs = (ms: number): number => Date.parse(`${format.format(ms).replace(' ', 'T')}Z`)
  const todayMs = Math.floor(showMs(after.getTime()) / DAY_MS) * DAY_MS
  for (let dayMs = todayMs; ; dayMs += DAY_MS) {
    // 1 January 1970 was a Thursday.
    const isMeant = cadence !== 'weekly' || (dayMs / DAY_MS + 3) % WEEKDAYS.length === weekday
    const atMs = isMeant ? findMoment(dayMs + minute * MINUTE_MS, showMs) : 0
    if (atMs > after.getTime()) return new Date(atMs)
  }
}

/** When clocks show this, which is given as if they showed UTC. */
function findMoment(shownMs: number, showMs: (ms: number) => number): number {
  // How far they are ahead of UTC the day before, and the day after.
  const momentAsAt = (ms: number): number => shownMs - (showMs(ms) - ms)
  const [before, after] = [momentAsAt(shownMs - DAY_MS), momentAsAt(shownMs + DAY_MS)]
  return [before, after].toSorted((one, other) => one - other).find((ms) => showMs(ms) === shownMs) ?? before
}

export const WATCH: AnswerButton = { kind: 'form', label: 'Watch a zone', operation: 'alerts watch', values: {} }

const USUAL = { minute: 9 * 60, weekday: 0 } as const

export const alertsDigest = defineOperation({
  name: 'alerts digest',
  summary: 'Set when this channel is told what happened: daily, weekly or never',
  verb: 'Set the digest',
  effect: 'write to the bot',
  audience: 'channel',
  undoable: true,
  fields: {
    cadence: required(
      choice({
        label: 'How often',
        hint: 'One message each day, each week, or none.',
        choices: DIGEST_CADENCES.map((value) => ({ value, label: value })),
      }),
    ),
    at: spelled({
      label: 'At',
      hint: 'By the clocks of the zone, such as 09:00, which it is if not given.',
      maxLength: 5,
      word: 'time',
      parse: (typed) => {
        const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(typed) ?? []
        return hour === undefined ? undefined : Number(hour) * 60 + Number(minute)
      },
      rule: 'At is not a time of the day, such as 09:00.',
    }),
    day: choice({
      label: 'Day',
      hint: 'Of a weekly one; monday if not given.',
      choices: WEEKDAYS.map((value) => ({ value, label: sentenceStart(value) })),
    }),
    zone: spelled({
      label: 'Time zone',
      hint: 'Such as Europe/Berlin; yours if not given.',
      maxLength: 60,
      word: 'time-zone',
      parse: (typed) => (/^[A-Za-z]/.test(typed) && isTimeZone(typed) ? typed : undefined),
      rule: 'Time zone is not known. Give it as Europe/Berlin or UTC.',
    }),
  },
  positionals: byLooks({
    cadence: (typed) => !isClock(typed),
    day: (typed) => !isClock(typed) && !typed.includes('/'),
    at: isClock,
    zone: isAnything,
  }),
  form: {
    title: 'Set the digest',
    intro: 'One message: incidents, time in trouble, and limits that would alert less often.',
    fields: () => ['cadence', 'at', 'day', 'zone'],
  },
  async current({ store, channelId }) {
    const digest = channelId === undefined ? undefined : await store.digests.get(channelId)
    return digest === undefined ? {} : valuesOf(digest)
  },
  examples: [
    'alerts digest weekly on friday',
    'alerts digest daily at 08:30 --zone Europe/Berlin',
    'alerts digest off',
  ],
  describe: ({ cadence }) => `Set the digest of this channel to ${cadence}`,
  async run({ cadence, at, day, zone }, context) {
    const channelId = await channelForAlerts(context)
    const { store, actor, once } = context
    const before = await store.digests.get(channelId)
    const time: DigestTime = {
      cadence,
      minute: at ?? before?.minute ?? USUAL.minute,
      weekday: day === undefined ? (before?.weekday ?? USUAL.weekday) : WEEKDAYS.indexOf(day),
      timeZone: zone ?? before?.timeZone ?? readerTimes(actor.timeZone).zone,
    }
    const { digest, entry } = newDigest(channelId, time, 'alerts digest', context)
    await store.digests.set(digest, entry, once)
    return { digest, before, isIdle: (await store.alertRules.list(channelId)).length === 0 }
  },
  present: ({ digest, before, isIdle }) => ({
    message: wordsMessage([
      digest.cadence === 'off'
        ? md`*No digest* comes to this channel.`
        : md`*The digest comes ${timeWords(digest)}*, next ${dateTime(digest.nextAt)}.${isIdle ? ' Nothing is watched in this channel yet, so there is nothing to tell.' : ''}`,
    ]),
    buttons: [
      ...(isIdle ? [WATCH] : []),
      { kind: 'page', label: 'Undo', values: before === undefined ? { cadence: 'off' } : valuesOf(before) },
    ],
  }),
})

export function digestLine(digest: DigestRecord | undefined): Mrkdwn | undefined {
  if (digest === undefined || digest.cadence === 'off') return undefined
  return md`Digest: ${timeWords(digest)}, next ${dateTime(digest.nextAt)}.`
}

/** `weekly on Monday at 09:00 (Europe/Berlin)` */
function timeWords({ cadence, minute, weekday, timeZone }: DigestTime): string {
  if (cadence === 'off') return 'off'
  const day = cadence === 'weekly' ? ` on ${sentenceStart(WEEKDAYS[weekday] ?? '')}` : ''
  return `${cadence}${day} at ${clockWords(minute)} (${timeZone})`
}

function clockWords(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

function valuesOf({ cadence, minute, weekday, timeZone: zone }: DigestRecord): RawValues {
  return { cadence, at: clockWords(minute), day: WEEKDAYS[weekday] ?? '', zone }
}

function newDigest(channelId: string, time: DigestTime, operation: string, context: OperationContext) {
  const digest = { channelId, ...time, nextAt: nextDigestAt(context.now, time), toldUntil: context.now }
  const entry = auditEntry('digest_set', operation, `Digest of ${channelId}: ${timeWords(time)}`, context)
  return { digest, entry }
}

/** A weekly digest for a channel that has none and has not turned it off; says when it comes. */
export async function turnOnDigest(channelId: string, context: OperationContext): Promise<Mrkdwn | undefined> {
  const { store, actor } = context
  if ((await store.digests.get(channelId)) !== undefined) return undefined
  const time = { cadence: 'weekly', ...USUAL, timeZone: readerTimes(actor.timeZone).zone } as const
  const { digest, entry } = newDigest(channelId, time, 'alerts watch', context)
  await store.digests.set(digest, entry, undefined, { unlessSet: true })
  return md`A digest comes ${timeWords(time)}.`
}
