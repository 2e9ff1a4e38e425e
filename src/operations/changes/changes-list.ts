import { type Message, wordsMessage } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Approval } from '../../store/approvals.ts'
import { type Change, CHANGE_STATES, type ChangeState } from '../../store/change.ts'
import { pageButton } from '../answer.ts'
import { choices } from '../choice-field.ts'
import { counted } from '../../block-kit/amounts.ts'
import { defineOperation } from '../define-operation.ts'
import { flag } from '../fields.ts'
import type { OperationContext } from '../operation.ts'
import { changeIdField, STATE_WORDS } from './change-words.ts'

/** Drafts are open forms and nobody's business; everything that was asked for is listed. */
const LISTED = CHANGE_STATES.filter((state): state is Exclude<ChangeState, 'draft'> => state !== 'draft')
const PAGE_ROWS = 15
const UNDER_WAY: ReadonlySet<ChangeState> = new Set(['waiting', 'approved'])

export const changesList = defineOperation({
  name: 'changes list',
  aliases: ['changes'],
  summary: 'List the writes that were asked for, and what became of them',
  effect: 'read',
  minimumRole: 'viewer',
  audience: 'caller',
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
  async run({ state, mine, before }, { store, actor }) {
    const last = before === undefined ? undefined : await store.changes.get(before)
    const found = await store.changes.list({
      states: state ?? LISTED,
      requestedBy: mine === true ? actor.id : undefined,
      askedFor: true,
      limit: PAGE_ROWS + 1,
      before: last,
    })
    const changes: ListedChange[] = []
    for (const change of found.slice(0, PAGE_ROWS))
      changes.push({ change, approvals: await approvalsOf(change, store) })
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

async function approvalsOf({ id, state }: Change, store: OperationContext['store']): Promise<readonly Approval[]> {
  return UNDER_WAY.has(state) ? store.approvals.of(id) : []
}

interface ListedChange {
  readonly change: Change
  readonly approvals: readonly Approval[]
}

const MAX_SENTENCE_CHARACTERS = 250
/** Who approved, by name; more than this any policy rarely asks for. */
const MAX_NAMED = 5

function listAnswer(
  changes: readonly ListedChange[],
  filtered: boolean,
  { now, command }: Pick<OperationContext, 'now' | 'command'>,
): Message {
  if (changes.length === 0) {
    const said = filtered ? 'No change fits.' : 'Nothing has been asked for yet.'
    return wordsMessage([md`${said}`])
  }
  const title = md`*${changes.length === 1 ? 'One change' : `${changes.length} changes`}*, the newest first, as of ${dateTime(now)}`
  const lines = changes.map(lineOf)
  const hint = md`All about one of them: ${code(`${command} changes show <id>`)}`
  return wordsMessage([title, ...lines], { small: [hint] })
}

function lineOf({ change, approvals }: ListedChange): Mrkdwn {
  const { id, state, operation, sentence, requestedBy, createdAt, expiresAt } = change
  const { icon, label } = STATE_WORDS[state]
  const what = visible(sentence ?? operation, MAX_SENTENCE_CHARACTERS)
  const facts = [
    md`asked by ${mention(requestedBy)}`,
    dateTime(createdAt),
    ...(state === 'waiting' && approvals.length === 0 ? [md`no approval so far`] : []),
    ...(approvals.length === 0 ? [] : [approvedBy(approvals)]),
    ...(state === 'waiting' ? [md`until ${dateTime(expiresAt)}`] : []),
    code(id),
  ]
  return md`${icon} *${label}*: ${what}\n${joinMd(facts, ' · ')}`
}

function approvedBy(approvals: readonly Approval[]): Mrkdwn {
  const named = approvals.slice(0, MAX_NAMED).map(({ person }) => mention(person))
  const rest = approvals.length - named.length
  return md`${counted(approvals.length, 'approval')}: ${joinMd(named, ', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
