import type { Block } from '../../block-kit/blocks.ts'
import { type Message, message } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, link, md, mention, type Mrkdwn, plainOf } from '../../block-kit/mrkdwn.ts'
import { bullets, context, type Fact, facts, section } from '../../block-kit/sections.ts'
import { UserError } from '../../shared/errors.ts'
import type { RawValue } from '../../shared/raw-values.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Approval } from '../../store/approvals.ts'
import type { RecordedEntry } from '../../store/audit-entry.ts'
import type { Change, ChangeState } from '../../store/change.ts'
import { eventWords } from '../audit/audit.ts'
import { defineOperation } from '../define-operation.ts'
import { required } from '../fields.ts'
import { flagName } from '../usage.ts'
import { MASK } from '../mask.ts'
import type { Invocation, Operation, OperationContext } from '../operation.ts'
import { CHANGE_ID, changeIdField, STATE_WORDS } from './change-words.ts'

/** Of the record of one change; its life has a dozen steps, further entries are refused clicks. */
const MAX_ENTRIES = 20

export const changesShow = defineOperation({
  name: 'changes show',
  summary: 'Show one write that was asked for, and what became of it',
  effect: 'read',
  minimumRole: 'viewer',
  audience: 'caller',
  fields: { id: required(changeIdField(CHANGE_ID)) },
  positionals: ['id'],
  examples: ['changes show 0123456789abcdef0123456789abcdef'],
  describe: ({ id }) => `Show change ${id}`,
  async run({ id }, context): Promise<KnownChange> {
    const { store, actor, command } = context
    const change = await store.changes.get(id)
    // A draft is a form somebody has open: to anybody else it does not exist yet.
    if (change === undefined || (change.state === 'draft' && change.requestedBy !== actor.id)) {
      throw new UserError(
        'invalid_input',
        'There is no change with this id. It may have been removed when it grew old.',
        `See what there is: ${command} changes list`,
      )
    }
    return {
      change,
      ...meaningOf(change, context),
      approvals: await store.approvals.of(id),
      record: await store.audit.list({ changeId: id, limit: MAX_ENTRIES }),
    }
  },
  present: (known, _, { now, command }) => ({ message: changeAnswer(known, now, command) }),
})

/** The change read again, for what it says about looking: nothing when its values no longer make sense. */
function meaningOf(change: Change, context: OperationContext): Pick<KnownChange, 'operation' | 'invocation'> {
  const { actor, now, panel, catalog, zones } = context
  const operation = catalog.find((entry) => entry.operation.name === change.operation)?.operation
  const parsed = operation?.parse(change.values, {
    now,
    zones,
    timeZone: actor.timeZone,
    panel,
    marker: context.markerOf(change.id),
  })
  return { operation, invocation: parsed?.ok === true ? parsed.invocation : undefined }
}

interface KnownChange {
  readonly change: Change
  readonly operation: Operation | undefined
  readonly invocation: Invocation | undefined
  readonly approvals: readonly Approval[]
  readonly record: readonly RecordedEntry[]
}

const MAX_VALUES = 40
const MAX_VALUE_CHARACTERS = 200

function changeAnswer(known: KnownChange, now: Date, command: string): Message {
  const { change, operation, record } = known
  const { icon, label, meaning } = STATE_WORDS[change.state]
  const headline = md`${icon} *${label}*: ${visible(change.sentence ?? change.operation)}`
  const story = changeStory(known)
  const look = lookAt(known)
  const next = nextSteps(change, command)
  const history = changeHistory(record, change)
  const asked = askedFor(change, operation)
  const small = md`Change ${code(change.id)}, as of ${dateTime(now)}`
  const said = md`${change.outcome ?? meaning}`
  const blocks = [
    section(headline),
    section(said),
    ...(look.length === 0 ? [] : [title('What to look at'), bullets(look)]),
    ...facts(story),
    ...(asked.length === 0 ? [] : [title('What was asked for'), ...facts(asked)]),
    ...(history.length === 0 ? [] : [title('On record'), bullets(history)]),
    ...next.map((line) => context(line)),
    context(small),
  ]
  const named = [...story, ...asked].map(([name, value]) => md`${name}: ${value}`)
  const lines = [headline, said, ...look, ...next, ...named, ...history.map((line) => md`- ${line}`), small]
  return message({ text: lines.map(plainOf).join('\n'), blocks })
}

function title(words: string): Block {
  return section(md`*${words}*`)
}

/** Only where it is not known what happened: what would show it, and where. */
function lookAt({ change: { state, operation }, invocation }: KnownChange): readonly Mrkdwn[] {
  if (state !== 'unknown' && state !== 'sending') return []
  const panel = invocation?.review?.panel
  return [
    md`${invocation?.lookFor ?? `Look in the platform's panel whether it happened before asking for ${operation} again.`}`,
    ...(panel === undefined ? [] : [link(panel, 'See it in the panel')]),
  ]
}

function nextSteps({ id, state, requestedBy }: Change, command: string): readonly Mrkdwn[] {
  if (state === 'waiting') {
    return [md`${mention(requestedBy)} can withdraw it: ${code(`${command} changes cancel ${id}`)}`]
  }
  if (state !== 'unknown') return []
  return [
    md`Whoever has looked can settle it: ${code(`${command} changes settle ${id} happened`)} or ${code('not-happened')}`,
  ]
}

/** The values as they were given; what is secret stays hidden, and so does what the operation no longer knows. */
function askedFor({ values }: Change, operation: Operation | undefined): readonly Fact[] {
  const entries = Object.entries(values)
  const shown = entries.slice(0, MAX_VALUES).map(([name, value]): Fact => {
    const field = operation?.fields[name]
    if (field === undefined) return [flagName(name), MASK]
    return [field.label, field.secret ? MASK : valueText(value)]
  })
  const rest = entries.length - shown.length
  return rest > 0 ? [...shown, ['More', `${rest} further values`]] : shown
}

function valueText(value: RawValue): Mrkdwn {
  const parts = (typeof value === 'string' ? [value] : value).map((part) => code(visible(part, MAX_VALUE_CHARACTERS)))
  return joinMd(parts, ', ')
}

const ENDED_BY: Readonly<Partial<Record<ChangeState, string>>> = {
  done: 'Settled by',
  not_done: 'Settled by',
  denied: 'Declined by',
  cancelled: 'Cancelled by',
}

const MAX_APPROVERS = 10

function changeStory({ change, approvals }: KnownChange): readonly Fact[] {
  const { state, endedBy } = change
  const ended = ENDED_BY[state]
  const noneYet = state === 'waiting' ? 'nobody so far' : undefined
  const story: readonly Fact[] = [
    ['Operation', change.operation],
    ['Asked by', mention(change.requestedBy)],
    ['Asked at', at(change.requestedAt ?? change.createdAt)],
    ['Approved by', approvals.length === 0 ? noneYet : approvers(approvals)],
    ['Without approval, because', change.breakGlass],
    ['Waits until', state === 'waiting' ? at(change.expiresAt) : undefined],
    ['Can be sent until', state === 'approved' ? at(change.expiresAt) : undefined],
    ['Sent at', at(change.sentAt)],
    [ended ?? 'Ended by', ended === undefined || endedBy === undefined ? undefined : mention(endedBy)],
    ['Ended at', at(change.endedAt)],
    ['Detail', change.detail],
  ]
  return story.filter(([, value]) => value !== undefined)
}

function at(date: Date | undefined): Mrkdwn | undefined {
  return date === undefined ? undefined : dateTime(date)
}

function approvers(approvals: readonly Approval[]): Mrkdwn {
  const named = approvals
    .slice(0, MAX_APPROVERS)
    .map(({ person, at: when }) => md`${mention(person)} ${dateTime(when)}`)
  const rest = approvals.length - named.length
  return md`${joinMd(named, ', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

function changeHistory(
  record: readonly RecordedEntry[],
  change: Pick<Change, 'state' | 'endedBy' | 'endedAt'>,
): readonly Mrkdwn[] {
  return record.toReversed().map((entry) => {
    const words = entry.event === 'denied' ? deniedWords(entry, change) : eventWords(entry.event)
    return md`${dateTime(entry.at)} ${words}, ${mention(entry.actor)} (entry ${entry.seq})`
  })
}

/** One who declined has ended the change; whoever tried what they may not has done nothing to it. */
function deniedWords(
  { actor, at }: RecordedEntry,
  { state, endedBy, endedAt }: Pick<Change, 'state' | 'endedBy' | 'endedAt'>,
): string {
  const hasEnded = state === 'denied' && actor === endedBy && at.getTime() === endedAt?.getTime()
  return hasEnded ? 'declined' : 'tried what they may not, and was refused'
}
