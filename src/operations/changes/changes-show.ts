import { factList, type Message, messageOf, paragraphs, smallPrint, titledList } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, link, md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { shortId } from '../../shared/short-id.ts'
import { visible } from '../../shared/untrusted.ts'
import type { RecordedEntry } from '../../store/schema/audit-entry.ts'
import type { Change, ChangeState } from '../../store/schema/change.ts'
import { describeEvent } from '../audit/audit.ts'
import { defineOperation, MASK } from '../declaration/define-operation.ts'
import { required } from '../declaration/fields.ts'
import { listPeople } from '../declaration/prompt-words.ts'
import { flagName } from '../declaration/usage.ts'
import type { Operation, OperationContext } from '../declaration/operation.ts'
import { CHANGE_ID, changeIdField, findChange, readAgain, STATE_WORDS } from './change-states.ts'

/** Of the record of one change; its life has a dozen steps, further entries are refused clicks. */
const MAX_ENTRIES = 20

export const changesShow = defineOperation({
  name: 'changes show',
  summary: 'Show one write that was asked for, and what became of it',
  effect: 'read',
  fields: { id: required(changeIdField(CHANGE_ID)) },
  positionals: ['id'],
  examples: ['changes show 01234567'],
  describe: ({ id }) => `Show change ${shortId(id)}`,
  run: ({ id }, context) => readChange(id, context),
  present: (known, _, { now, command }) => ({ message: changeAnswer(known, now, command) }),
})

async function readChange(id: string, context: OperationContext) {
  const { store } = context
  const change = await findChange(id, context)
  return {
    change,
    ...readAgain(change, context),
    approvals: await store.approvals.of(change.id),
    record: await store.audit.list({ changeId: change.id, limit: MAX_ENTRIES }),
  }
}

type KnownChange = Awaited<ReturnType<typeof readChange>>

function changeAnswer(known: KnownChange, now: Date, command: string): Message {
  const { change, operation, record } = known
  const { icon, label, meaning } = STATE_WORDS[change.state]
  const asked = listValues(change, operation)
  return messageOf(
    paragraphs(
      md`${icon} *${label}*: ${visible(change.sentence ?? change.operation)}`,
      md`${change.outcome ?? meaning}`,
    ),
    titledList('What to check', lookFor(known)),
    factList(tellStory(known)),
    paragraphs(asked.length > 0 && md`*What was asked for*`),
    factList(asked),
    titledList(
      'Audit log',
      record.toReversed().map((entry) => describeEntry(entry, change)),
    ),
    smallPrint(nextStep(change, command), md`Change ${code(shortId(change.id))}, as of ${dateTime(now)}`),
  )
}

/** Only where it is not known what happened: what would show it, and where. */
function lookFor({ change: { state, operation }, invocation }: KnownChange): readonly Mrkdwn[] {
  if (state !== 'unknown' && state !== 'sending') return []
  const panel = invocation?.review?.panel
  return [
    md`${invocation?.lookFor ?? `Check in the CDN’s panel whether it happened before asking for ${operation} again.`}`,
    ...(panel === undefined ? [] : [link(panel, 'See it in the panel')]),
  ]
}

function nextStep({ id, state, requestedBy }: Change, command: string): Mrkdwn | false {
  if (state === 'waiting') {
    return md`${mention(requestedBy)} can withdraw it: ${code(`${command} changes cancel ${shortId(id)}`)}`
  }
  if (state !== 'unknown') return false
  return md`Whoever has looked can settle it: ${code(`${command} changes settle ${shortId(id)} happened`)} or ${code('not-happened')}`
}

type FactRow = readonly [label: string, value: Mrkdwn | string]

const MAX_VALUES = 40
const MAX_VALUE_CHARACTERS = 200

/** The values as they were given; what is secret stays hidden, and so does what the operation no longer knows. */
function listValues({ values }: Change, operation: Operation | undefined): readonly FactRow[] {
  const entries = Object.entries(values)
  const shown = entries.slice(0, MAX_VALUES).map(([name, value]): FactRow => {
    const { label = flagName(name), secret = true } = operation?.fields[name] ?? {}
    const parts = [value].flat().map((part) => code(visible(part, MAX_VALUE_CHARACTERS)))
    return [label, secret ? MASK : joinMd(parts, ', ')]
  })
  const rest = entries.length - shown.length
  return rest > 0 ? [...shown, ['More', `${rest} further values`]] : shown
}

const ENDED_BY: Readonly<Partial<Record<ChangeState, string>>> = {
  done: 'Settled by',
  not_done: 'Settled by',
  denied: 'Declined by',
  cancelled: 'Cancelled by',
}

const MAX_APPROVERS = 10

function tellStory({ change, approvals }: KnownChange): readonly FactRow[] {
  const { state, endedBy, requestedAt, createdAt, expiresAt, sentAt, endedAt } = change
  const approvers = approvals.map(({ person, at }) => md`${mention(person)} ${dateTime(at)}`)
  const noneYet = state === 'waiting' ? 'nobody so far' : undefined
  const ended = ENDED_BY[state] ?? 'Ended by'
  const story: readonly (readonly [label: string, value: Mrkdwn | string | undefined])[] = [
    ['Operation', change.operation],
    ['Asked by', mention(change.requestedBy)],
    ['Asked at', dateTime(requestedAt ?? createdAt)],
    ['Approved by', approvers.length === 0 ? noneYet : listPeople(approvers, MAX_APPROVERS)],
    ['Without approval, because', change.breakGlass],
    ['Waits until', state === 'waiting' ? dateTime(expiresAt) : undefined],
    ['Can be sent until', state === 'approved' ? dateTime(expiresAt) : undefined],
    ['Sent at', sentAt && dateTime(sentAt)],
    [ended, state in ENDED_BY && endedBy !== undefined ? mention(endedBy) : undefined],
    ['Ended at', endedAt && dateTime(endedAt)],
    ['Detail', change.detail],
  ]
  return story.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]))
}

function describeEntry(entry: RecordedEntry, change: Change): Mrkdwn {
  const event = entry.event === 'denied' ? describeDenial(entry, change) : describeEvent(entry.event)
  return md`${dateTime(entry.at)} ${event}, ${mention(entry.actor)} (entry ${entry.seq})`
}

/** One who declined has ended the change; whoever tried what they may not has done nothing to it. */
function describeDenial({ actor, at }: RecordedEntry, { state, endedBy, endedAt }: Change): string {
  const hasEnded = state === 'denied' && actor === endedBy && at.getTime() === endedAt?.getTime()
  return hasEnded ? 'declined' : 'tried what they may not, and was refused'
}
