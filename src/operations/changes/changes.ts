import { actions } from '../../block-kit/buttons.ts'
import { messageOf, paragraphs, wordsMessage, factList, smallPrint, titledList } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mention, type Mrkdwn, link } from '../../block-kit/mrkdwn.ts'
import { type Fact, section } from '../../block-kit/sections.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { shortId } from '../../shared/short-id.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Approval } from '../../store/changes/approvals.ts'
import { type Change, CHANGE_STATES, type ChangeState } from '../../store/schema/change.ts'
import { pageButton } from '../declaration/answer.ts'
import { choices, choice } from '../declaration/choice-field.ts'
import { defineOperation, MASK } from '../declaration/define-operation.ts'
import { flag, required } from '../declaration/fields.ts'
import type { OperationContext, ChangeActionEnd, Operation } from '../declaration/operation.ts'
import { listPeople } from '../declaration/prompt-words.ts'
import { atLeast } from '../declaration/role.ts'
import { type ChangeButton, changeButton } from './change-buttons.ts'
import { changeIdField, findChange, STATE_WORDS, CHANGE_ID, readAgain } from './change-states.ts'
import type { RecordedEntry } from '../../store/schema/audit-entry.ts'
import { describeEvent } from '../audit/audit.ts'
import { flagName } from '../declaration/usage.ts'

/** Drafts are open forms and nobody's business; everything that was asked for is listed. */
const LISTED = CHANGE_STATES.filter((state): state is Exclude<ChangeState, 'draft'> => state !== 'draft')
/** With more of them, not all would have room beside their buttons in one message. */
const PAGE_ROWS = 8

export const changesList = defineOperation({
  name: 'changes list',
  aliases: ['changes', 'pending', 'waiting', 'approvals'],
  summary: 'List the writes that were asked for, and what became of them',
  effect: 'read',
  fields: {
    state: choices({
      label: 'State',
      hint: 'Only changes in these states, separated by commas.',
      choices: LISTED.map((value) => ({ value, label: STATE_WORDS[value].label })),
    }),
    mine: flag({ label: 'Mine', hint: 'Only what I asked for.' }),
    before: changeIdField({ label: 'Before', hint: 'The id of a change: only older ones are listed.' }),
  },
  positionals: ['state'],
  examples: ['changes list', 'changes list --mine', 'changes list waiting', 'changes list --state unknown,rejected'],
  describe: ({ state, mine }) =>
    `List changes${state === undefined ? '' : ` in state ${state.join(', ')}`}${mine === true ? ' of their own' : ''}`,
  async run({ state, mine, before }, context) {
    const { store, actor } = context
    const last = before === undefined ? undefined : await findChange(before, context)
    const found = await store.changes.list({
      states: state ?? LISTED,
      requestedBy: mine === true ? actor.id : undefined,
      askedFor: true,
      limit: PAGE_ROWS + 1,
      before: last,
    })
    const shown = found.slice(0, PAGE_ROWS)
    const theirs = new Set(await context.changes.waitingFor(shown))
    const maySettle = atLeast(actor.role, 'operator') && actor.writesBarred === undefined
    const approvals = Map.groupBy(await store.approvals.among(shown.map(({ id }) => id)), ({ changeId }) => changeId)
    const changes = shown.map((change): ListedChange => {
      const settles: readonly ChangeButton[] = maySettle && change.state === 'unknown' ? ['exists', 'absent'] : []
      return { change, approvals: approvals.get(change.id) ?? [], offered: theirs.has(change) ? ['approve'] : settles }
    })
    return { changes, older: found.length > PAGE_ROWS ? shown.at(-1)?.id : undefined }
  },
  present({ changes, older }, { state, mine }, { now }) {
    const filter: RawValues = { ...(state !== undefined && { state }), ...(mine === true && { mine: 'true' }) }
    const none = Object.keys(filter).length > 0 ? md`No change fits.` : md`Nothing has been asked for yet.`
    const amount = changes.length === 1 ? 'One change' : `${changes.length} changes`
    const title = md`*${amount}*, the newest first, as of ${dateTime(now)}`
    return {
      message: changes.length === 0 ? wordsMessage([none]) : messageOf(paragraphs(title), ...changes.map(drawChange)),
      buttons: [
        ...(older === undefined ? [] : [pageButton('Older', { ...filter, before: older })]),
        ...(mine === true || changes.length === 0 ? [] : [pageButton('Only mine', { ...filter, mine: 'true' })]),
      ],
    }
  },
})

interface ListedChange {
  readonly change: Change
  readonly approvals: readonly Approval[]
  readonly offered: readonly ChangeButton[]
}

const MAX_SENTENCE_CHARACTERS = 250
const MAX_NAMED = 5

function drawChange(listed: ListedChange) {
  const { change, offered } = listed
  const open = changeButton('open', change)
  const line = section(describeChange(listed))
  return {
    // A notification cannot show names of people.
    lines: [`${STATE_WORDS[change.state].label}: ${change.sentence ?? change.operation} · ${shortId(change.id)}`],
    blocks:
      offered.length === 0
        ? [{ ...line, accessory: open }]
        : [line, actions(`change:${change.id}`, [...offered.map((kind) => changeButton(kind, change)), open])],
  }
}

function describeChange({ change, approvals }: ListedChange): Mrkdwn {
  const { id, state, operation, sentence, requestedBy, createdAt, expiresAt } = change
  const { icon, label } = STATE_WORDS[state]
  const approvers = approvals.map(({ person }) => mention(person))
  const facts = [
    md`asked by ${mention(requestedBy)}`,
    dateTime(createdAt),
    approvers.length === 0 && state === 'waiting' && md`no approval so far`,
    approvers.length > 0 && md`approved by ${listPeople(approvers, MAX_NAMED)}`,
    state === 'waiting' && md`until ${dateTime(expiresAt)}`,
    code(shortId(id)),
  ]
  const what = visible(sentence ?? operation, MAX_SENTENCE_CHARACTERS)
  return md`${icon} *${label}*: ${what}\n${joinMd(facts, ' · ')}`
}

export const changesCancel = defineOperation({
  name: 'changes cancel',
  aliases: ['changes withdraw'],
  summary: 'Withdraw a write of your own that has not been sent',
  verb: 'Cancel change',
  effect: 'write to the bot',
  fields: { id: required(changeIdField(CHANGE_ID)) },
  positionals: ['id'],
  examples: ['changes cancel 01234567'],
  describe: ({ id }) => `Cancel change ${shortId(id)}`,
  run: ({ id }, { changes }) => changes.cancel(id),
  present: (end, { id }, { command }) => ({ message: changeEndAnswer(end, id, command) }),
})

export const changesSettle = defineOperation({
  name: 'changes settle',
  summary: 'Say whether a write that got no answer has happened, after looking',
  verb: 'Settle change',
  effect: 'write to the bot',
  fields: {
    id: required(changeIdField(CHANGE_ID)),
    found: required(
      choice({
        label: 'What was found',
        hint: 'What you saw in the CDN’s panel; it ends the change, and nothing is sent.',
        choices: [
          { value: 'happened', label: 'It happened' },
          { value: 'not-happened', label: 'It did not happen' },
        ],
      }),
    ),
  },
  positionals: ['id', 'found'],
  examples: ['changes settle 01234567 happened', 'changes settle 01234567 not-happened'],
  describe: ({ id, found }) => `Settle change ${shortId(id)}: it has ${found === 'happened' ? '' : 'not '}happened`,
  run: ({ id, found }, { changes }) => changes.settle(id, found === 'happened'),
  present: (end, { id }, { command }) => ({ message: changeEndAnswer(end, id, command) }),
})

function changeEndAnswer(end: ChangeActionEnd, id: string, command: string) {
  const failure = end.kind === 'done' ? [] : [md`*Nothing was done.* ${end.why}`]
  const show = code(`${command} changes show ${shortId(id)}`)
  return wordsMessage([...failure, ...describeState(end.change)], { small: [show] })
}

function describeState({ state, sentence, operation, outcome, endedBy, endedAt }: Change): readonly Mrkdwn[] {
  const { icon, label } = STATE_WORDS[state]
  const ended = [endedBy && md`by ${mention(endedBy)}`, endedAt && dateTime(endedAt)].filter(
    (part) => part !== undefined,
  )
  const signed = ended.length === 0 ? md`` : md` (${joinMd(ended, ', ')})`
  const what = md`${icon} *${label}*${signed}: ${visible(sentence ?? operation)}`
  return outcome === undefined ? [what] : [what, md`${outcome}`]
}

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

function changeAnswer(known: KnownChange, now: Date, command: string) {
  const { change, operation, record } = known
  const { icon, label } = STATE_WORDS[change.state]
  const asked = listValues(change, operation)
  const entries = record.toReversed().map((entry) => describeEntry(entry, change))
  return messageOf(
    paragraphs(
      md`${icon} *${label}*: ${visible(change.sentence ?? change.operation)}`,
      change.outcome !== undefined && md`${change.outcome}`,
    ),
    titledList('What to check', lookFor(known)),
    factList(tellStory(known)),
    paragraphs(asked.length > 0 && md`*What was asked for*`),
    factList(asked),
    titledList('Audit log', entries),
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

const MAX_VALUE_CHARACTERS = 200

/** The values as they were given; what is secret stays hidden, and so does what the operation no longer knows. */
function listValues({ values }: Change, operation: Operation | undefined): readonly Fact[] {
  return Object.entries(values).map(([name, value]): Fact => {
    const { label = flagName(name), secret = true } = operation?.fields[name] ?? {}
    const parts = [value].flat().map((part) => code(visible(part, MAX_VALUE_CHARACTERS)))
    return [label, secret ? MASK : joinMd(parts, ', ')]
  })
}

const ENDED_BY: Readonly<Partial<Record<ChangeState, string>>> = {
  done: 'Settled by',
  not_done: 'Settled by',
  denied: 'Declined by',
  cancelled: 'Cancelled by',
}

function tellStory({ change, approvals }: KnownChange): readonly Fact[] {
  const { state, endedBy, requestedAt, createdAt, expiresAt, sentAt, endedAt } = change
  const approvers = approvals.map(({ person, at }) => md`${mention(person)} ${dateTime(at)}`)
  const ended = ENDED_BY[state]
  const noneYet = state === 'waiting' ? 'nobody so far' : undefined
  return [
    ['Operation', change.operation],
    ['Asked by', mention(change.requestedBy)],
    ['Asked at', dateTime(requestedAt ?? createdAt)],
    ['Approved by', approvers.length === 0 ? noneYet : listPeople(approvers, MAX_NAMED)],
    ['Without approval, because', change.breakGlass],
    ['Waits until', state === 'waiting' ? dateTime(expiresAt) : undefined],
    ['Can be sent until', state === 'approved' ? dateTime(expiresAt) : undefined],
    ['Sent at', sentAt && dateTime(sentAt)],
    ...(ended === undefined ? [] : [[ended, endedBy && mention(endedBy)] as const]),
    ['Ended at', endedAt && dateTime(endedAt)],
  ]
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
