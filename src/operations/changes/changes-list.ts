import { actions } from '../../block-kit/buttons.ts'
import { type Message, messageOf, paragraphs, type Part, wordsMessage } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { section } from '../../block-kit/sections.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { shortId } from '../../shared/short-id.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Approval } from '../../store/changes/approvals.ts'
import { type Change, CHANGE_STATES, type ChangeState } from '../../store/schema/change.ts'
import { pageButton } from '../declaration/answer.ts'
import { choices } from '../declaration/choice-field.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import { flag } from '../declaration/fields.ts'
import type { OperationContext } from '../declaration/operation.ts'
import { listPeople } from '../declaration/prompt-words.ts'
import { atLeast } from '../declaration/role.ts'
import { type ChangeButton, changeButton } from './change-buttons.ts'
import { changeIdField, findChange, STATE_WORDS } from './change-states.ts'

/** Drafts are open forms and nobody's business; everything that was asked for is listed. */
const LISTED = CHANGE_STATES.filter((state): state is Exclude<ChangeState, 'draft'> => state !== 'draft')
const PAGE_ROWS = 15

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
    return { changes, hasMore: found.length > PAGE_ROWS }
  },
  present({ changes, hasMore }, { state, mine }, context) {
    const filter: RawValues = { ...(state !== undefined && { state }), ...(mine === true && { mine: 'true' }) }
    const last = changes.at(-1)
    return {
      message: listAnswer(changes, Object.keys(filter).length > 0, context),
      buttons: [
        ...(hasMore && last !== undefined ? [pageButton('Older', { ...filter, before: last.change.id })] : []),
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

function listAnswer(
  changes: readonly ListedChange[],
  isFiltered: boolean,
  { now }: Pick<OperationContext, 'now'>,
): Message {
  if (changes.length === 0) {
    return wordsMessage([isFiltered ? md`No change fits.` : md`Nothing has been asked for yet.`])
  }
  const title = md`*${changes.length === 1 ? 'One change' : `${changes.length} changes`}*, the newest first, as of ${dateTime(now)}`
  return messageOf(paragraphs(title), ...changes.map(drawChange))
}

/** A line with what can be done about it: what waits for this person has its buttons below. */
function drawChange(listed: ListedChange): Part {
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
  ].filter((fact) => fact !== false)
  const what = visible(sentence ?? operation, MAX_SENTENCE_CHARACTERS)
  return md`${icon} *${label}*: ${what}\n${joinMd(facts, ' · ')}`
}
