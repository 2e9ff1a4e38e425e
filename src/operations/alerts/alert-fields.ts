import { pullSubject, storageSubject } from '../../alerts/state/rule-subjects.ts'
import { type AnswerButton, rawValuesFrom } from '../declaration/answer.ts'
import type { Field, InputOf, NamedZone } from '../declaration/field.ts'
import { custom, type FieldText, many, one, problem, readId, spelled } from '../declaration/fields.ts'
import { personOrGroup } from '../declaration/person-field.ts'
import type { Issue } from '../declaration/operation.ts'
import { unknownZone, zonesNamed } from '../declaration/zone-field.ts'
import type { AlertSubject, RuleContacts } from '../../store/schema/alert-records.ts'
import { durationWords } from '../../alerts/incidents/incident-words.ts'
import { MAX_RUNBOOK_CHARACTERS, runbookProblem, runbookUrl, UNACKNOWLEDGED_MS } from '../../alerts/state/incident.ts'
import { link, md, mentionEither, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { DAY_MS, MINUTE_MS, readDuration } from '../../shared/durations.ts'
import type { RawValues } from '../../shared/raw-values.ts'

/** Of a rule, silence, mark or incident, or how it begins: lists and messages show its first eight digits. */
const ID = /^[0-9a-f]{4,32}$/

export function alertIdField(options: FieldText): Field<string, false> {
  return spelled({
    ...options,
    maxLength: 32,
    word: 'id',
    parse: (typed) => (ID.test(typed.toLowerCase()) ? typed.toLowerCase() : undefined),
    rule: `${options.label} is an id as lists show it, or its first 4 digits or more.`,
  })
}

export function byId<T extends { readonly id: string }>(id: string, all: readonly T[]) {
  const exact = all.find((each) => each.id === id)
  const [first, second] = all.filter((each) => each.id.startsWith(id))
  const several = exact === undefined && second !== undefined
  return { found: several ? undefined : (exact ?? first), several }
}

/** What a word may be about: everything of the channel, zones that bear the name or number, or ids of what is listed. */
export interface About {
  readonly typed: string
  readonly all: boolean
  /** A pull zone and a storage zone may have the same name. */
  readonly subjects: readonly AlertSubject[]
  readonly ids: readonly string[]
}

/**
 * A zone by name or numeric id, `all` for everything of the channel, or ids of rules as lists show them. Which of them it
 * is may hang on what there is, so that is looked up when it is used.
 */
export function about(options: FieldText & { readonly word?: string }): Field<About, false> {
  return custom<About>({
    ...options,
    control: { kind: 'text', maxLength: 1_000, multiline: false, word: options.word ?? 'zone' },
    read(raw, { zones }) {
      const typed = one(raw).trim()
      const found = (part: Partial<About>) =>
        ({ ok: true, value: { typed, all: false, subjects: [], ids: [], ...part } }) as const
      if (/^(?:all|everything)$/i.test(typed)) return found({ all: true })
      const words = many(raw).map((word) => word.toLowerCase())
      if (words.length > 1 && words.every((word) => ID.test(word))) return found({ ids: words })
      const watchable = zones.filter(({ kind }) => kind !== 'dns')
      const subjects = subjectsNamed(typed, watchable)
      const ids = ID.test(typed.toLowerCase()) ? [typed.toLowerCase()] : []
      if (subjects.length + ids.length > 0) return found({ subjects, ids })
      return problem(unknownZone(undefined, typed, watchable))
    },
  })
}

export function incidentField(hint = 'The zone that it is about, or the id that the message of the alert shows.') {
  return about({ label: 'Incident', hint, word: 'zone-or-id' })
}

function subjectsNamed(typed: string, zones: readonly NamedZone[]): readonly AlertSubject[] {
  const id = readId(typed)
  if (id !== undefined) return [pullSubject(id), storageSubject(id)]
  return zonesNamed(typed, zones).map(({ kind, zoneId }) => `${kind}/${zoneId}`)
}

/** How long from now: `90m`, `8h`, `2d`; the value is in milliseconds, from a minute on. */
export function duration(label: string, hint: string, mostMs: number): Field<number, false> {
  return spelled({
    label,
    hint,
    maxLength: 40,
    word: 'duration',
    parse(typed) {
      const ms = readDuration(typed)
      return ms !== undefined && ms >= MINUTE_MS && ms <= mostMs ? ms : undefined
    },
    rule: `${label} is a length of time from 1m to ${mostMs / DAY_MS}d, such as 90m, 8h or 2d.`,
  })
}

/** Slack writes an address so where it has made a link of it. */
const LINKED = /^<([^<>|]+)(?:\|[^<>]*)?>$/

export const CONTACT_FIELDS = {
  mention: personOrGroup({
    label: 'Mention',
    hint: 'A user group or person of Slack that critical alerts mention, by name or by its id (S… or U…).',
  }),
  escalate: personOrGroup({
    label: 'Escalate',
    hint: 'A second user group or person, mentioned once if nobody has acknowledged a critical alert in time.',
  }),
  after: duration('After', 'How long that is: 20m, 1h; 15 minutes unless said otherwise.', DAY_MS),
  runbook: custom<string>({
    label: 'Runbook',
    hint: 'The https address of instructions; each message of the alert links it.',
    control: { kind: 'text', maxLength: MAX_RUNBOOK_CHARACTERS, multiline: false, word: 'https-address' },
    read(raw) {
      const typed = one(raw).trim()
      const value = LINKED.exec(typed)?.[1] ?? typed
      const wrong = runbookProblem(value)
      return wrong === undefined ? { ok: true, value } : problem(`Runbook ${wrong}.`)
    },
  }),
} as const

type TypedContacts = Partial<InputOf<typeof CONTACT_FIELDS>>

export function escalationIssues({ escalate, after }: TypedContacts): readonly Issue[] {
  return after === undefined || escalate !== undefined
    ? []
    : [{ field: 'escalate', problem: 'After needs --escalate: whom to mention then.', missing: true }]
}

export function contactsOf({ mention, escalate, after, runbook }: TypedContacts): RuleContacts {
  return { mention, escalate, escalateAfterMs: after, runbook }
}

/** What was not given stays. A time to escalate belongs to whom it is for. */
export function keepContacts(before: RuleContacts, given: RuleContacts): RuleContacts {
  const { mention = before.mention, runbook = before.runbook } = given
  const { escalate, escalateAfterMs } = given.escalate === undefined ? before : given
  return { mention, escalate, escalateAfterMs, runbook }
}

export function contactValues({ mention, escalate, escalateAfterMs, runbook }: RuleContacts): RawValues {
  const after = escalateAfterMs && `${escalateAfterMs / MINUTE_MS}m`
  return rawValuesFrom({ mention, escalate, after, runbook })
}

export function pingWords({ mention, escalate, escalateAfterMs }: RuleContacts): Mrkdwn | undefined {
  const first = mention === undefined ? undefined : mentionEither(mention)
  if (escalate === undefined) return first
  const later = md`${mentionEither(escalate)} if nobody acknowledges for ${durationWords(escalateAfterMs ?? UNACKNOWLEDGED_MS)}`
  return first === undefined ? later : md`${first}, and ${later}`
}

/** The same for the audit log, by ids; empty where nobody is pinged. */
export function contactsText({ mention, escalate, escalateAfterMs }: RuleContacts): string {
  const after = durationWords(escalateAfterMs ?? UNACKNOWLEDGED_MS)
  return [mention && `calls ${mention}`, escalate && `calls ${escalate} after ${after}`].filter(Boolean).join(', ')
}

export function runbookLink(runbook: string | undefined, before = ''): Mrkdwn {
  const url = runbookUrl(runbook)
  return url === undefined ? md`` : md`${before}${link(url, 'Runbook')}`
}

/** It opens a form that asks for nothing but whom to ping: a mention that is there, and empty, is what tells it. */
export function pingButton(operation: string, values: RawValues): AnswerButton {
  return { kind: 'form', label: 'Ping somebody …', operation, values: { ...values, mention: '' } }
}

export function pingFields({ mention }: RawValues) {
  return mention === '' ? (['mention', 'after', 'escalate'] as const) : undefined
}
