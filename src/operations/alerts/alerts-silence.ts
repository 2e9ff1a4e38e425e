import parseDuration from 'parse-duration'
import { wordsMessage } from '../../block-kit/message.ts'
import { code, dateTime, md, mention } from '../../block-kit/mrkdwn.ts'
import { parseInstant } from '../../cdn/dates.ts'
import { DAY_MS, MINUTE_MS } from '../../shared/durations.ts'
import type { SilenceRecord } from '../../store/alert-records.ts'
import { defineOperation } from '../define-operation.ts'
import type { Field, ParseContext } from '../field.ts'
import { custom, type FieldText, one, problem, text } from '../fields.ts'
import { DURATION, readClockTime } from '../time-field.ts'
import { about } from './about-field.ts'
import { alertIdField } from './alert-id-field.ts'
import { subjectWords, zoneOfSubject } from './alert-subjects.ts'
import { kindField } from './kind-fields.ts'
import { silencedByIncident, silencedByZone, silencedWords } from './silenced.ts'
import { alertEntry } from './rule-adding.ts'

const DEFAULT_MS = 3_600_000
const MAX_REASON_CHARACTERS = 200

/** `alerts silence`: holds back what a channel hears about a zone, for a while. What fires meanwhile is told afterwards. */
export const alertsSilence = defineOperation({
  name: 'alerts silence',
  summary: 'Hold back what this channel hears about a zone for a while',
  verb: 'Silence',
  effect: 'write to the bot',
  minimumRole: 'operator',
  audience: 'channel',
  shareable: false,
  undoable: true,
  fields: {
    zone: about({ label: 'Zone', hint: 'The name or numeric id of a zone, or all for everything of this channel.' }),
    kind: kindField('Kind'),
    for: duration({ label: 'For', hint: 'How long: 90m, 8h, 2d; an hour unless said otherwise, 30 days at most.' }),
    until: momentToCome({
      label: 'Until',
      hint: 'In place of that: morning (08:00 by your clock), a time such as 17:30, or 2026-11-20T17:30Z.',
    }),
    reason: text({
      label: 'Reason',
      hint: 'Shown to whoever wonders why it is quiet.',
      maxLength: MAX_REASON_CHARACTERS,
    }),
    incident: alertIdField({
      label: 'Incident',
      hint: 'In place of a zone: the id that the message of an alert shows.',
    }),
  },
  positionals: ['zone'],
  form: [
    {
      title: 'Silence alerts',
      intro: 'Only for the channel this form was opened in. What still fires when it is over is told then.',
      fields: () => ['zone', 'kind', 'for', 'until', 'reason'],
      wording: () => ({ zone: { needed: true } }),
    },
  ],
  examples: [
    'alerts silence shop',
    'alerts silence all --until morning',
    'alerts silence 301 --kind origin-failing --for 8h',
  ],
  check({ zone, incident, for: length, until }) {
    return [
      ...(zone === undefined && incident === undefined
        ? [{ field: 'zone', problem: 'Say what to silence: a zone, or all.', missing: true }]
        : []),
      ...(zone !== undefined && incident !== undefined
        ? [{ field: 'incident', problem: 'Give a zone or an incident, not both.' }]
        : []),
      ...(length !== undefined && until !== undefined
        ? [{ field: 'until', problem: 'Give --for or --until, not both.' }]
        : []),
    ]
  },
  describe({ zone, incident, kind, for: length = DEFAULT_MS, until }) {
    const what = zone === undefined ? `incident ${incident ?? ''}` : zone.typed
    const long = until === undefined ? `for ${length / 60_000} minutes` : `until ${until.toISOString()}`
    return `Silence ${kind === undefined ? '' : `${kind} of `}${what} ${long}`
  },
  async run(
    { zone, incident, kind, for: length = DEFAULT_MS, until, reason },
    running,
  ): Promise<readonly SilenceRecord[]> {
    const { store, now, actor, once } = running
    const { subjects, channelId } =
      zone === undefined ? await silencedByIncident(incident ?? '', running) : await silencedByZone(zone, running)
    const end = until ?? new Date(now.getTime() + length)
    const silences = subjects.map((subject): SilenceRecord => ({
      id: running.newId(),
      subject,
      kind,
      channelId,
      from: now,
      until: end,
      by: actor.id,
      reason,
    }))
    for (const [index, silence] of silences.entries()) {
      const summary = `Silenced ${kind ?? 'all alerts'} of ${silence.subject} in ${channelId} until ${end.toISOString()}`
      const entry = { ...alertEntry('alert_silenced', 'alerts silence', summary, running), detail: reason }
      // The delivery stands for all of them: the first takes it up.
      await store.silences.add(silence, entry, index === 0 ? once : undefined)
    }
    return silences
  },
  present(silences, { kind, reason }, { zones, command }) {
    const [first] = silences
    const title = first === undefined ? md`` : md`*Silenced by ${mention(first.by)} until ${dateTime(first.until)}:*`
    const lines = silences.map(({ subject }) => md`${silencedWords(kind)} ${subjectWords(subject, zones)}`)
    const why = reason === undefined ? [] : [md`Why: ${reason}`]
    const ended =
      silences.length > 1 ? 'all' : (zoneOfSubject(first?.subject ?? '')?.id ?? first?.id.slice(0, 8) ?? 'all')
    const back = code(`${command} alerts unsilence ${ended}`)
    const next = md`It is looked at all the same: what still fires afterwards is told then. End it sooner with ${back}.`
    return {
      message: wordsMessage([title], { list: lines, small: [...why, next] }),
      buttons: [
        {
          kind: 'page',
          label: 'Undo',
          operation: 'alerts unsilence',
          values: { ids: silences.map(({ id }) => id).join(',') },
        },
      ],
    }
  },
})

/** When people are back, by the clock of whoever asks. */
const MORNING = '08:00'
/** Longer than this is no silence but an alert that had better be removed. */
const MAX_SILENCE_MS = 30 * DAY_MS

/** How long from now: `90m`, `8h`, `2d`; the value is in milliseconds, a minute to 30 days. */
function duration(options: FieldText): Field<number, false> {
  return custom({
    ...options,
    control: { kind: 'text', maxLength: 40, multiline: false, word: 'duration' },
    read(raw) {
      const typed = one(raw).trim()
      const ms = DURATION.test(typed) ? parseDuration(typed) : undefined
      return typeof ms === 'number' && ms >= MINUTE_MS && ms <= MAX_SILENCE_MS
        ? { ok: true, value: ms }
        : problem(`${options.label} is a length of time from 1m to 30d, such as 90m, 8h or 2d.`)
    },
  })
}

/**
 * A moment to come: `morning`, which is the next time the reader's clock shows 08:00, the next time it shows `17:30`, or
 * a date with time, in UTC unless it says otherwise.
 */
export function momentToCome(options: FieldText): Field<Date, false> {
  return custom({
    ...options,
    control: { kind: 'text', maxLength: 40, multiline: false, word: 'time' },
    read(raw, context) {
      const value = readMoment(one(raw).trim().toLowerCase(), context)
      if (value === undefined)
        return problem(`${options.label} is not a time to come. Give it as morning, 17:30 or 2026-11-20T17:30Z.`)
      const ms = value.getTime() - context.now.getTime()
      if (ms <= 0) return problem(`${options.label} is over already.`)
      return ms <= MAX_SILENCE_MS ? { ok: true, value } : problem(`${options.label} is more than 30 days away.`)
    },
  })
}

function readMoment(typed: string, context: ParseContext): Date | undefined {
  const shown = readClockTime(typed === 'morning' ? MORNING : typed, 'next', context)
  return shown ?? (typed.includes(':') ? parseInstant(typed) : undefined)
}
