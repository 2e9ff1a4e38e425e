import type { RawValues } from '../../shared/raw-values.ts'
import type { Approval } from '../../store/approvals.ts'
import { CHANGE_STATES, type Change, type ChangeState } from '../../store/change.ts'
import { choices } from '../choice-field.ts'
import { defineOperation } from '../define-operation.ts'
import { flag } from '../fields.ts'
import type { OperationContext } from '../operation.ts'
import { changeIdField } from './change-id-field.ts'
import { STATE_WORDS } from './change-words.ts'
import { listAnswer, type ListedChange } from './changes-list-answer.ts'

/** Drafts are open forms and nobody's business; everything that was asked for is listed. */
const LISTED = CHANGE_STATES.filter((state): state is Exclude<ChangeState, 'draft'> => state !== 'draft')
const PAGE_ROWS = 15
/** The states in which it matters who has approved so far. */
const UNDER_WAY: ReadonlySet<ChangeState> = new Set(['waiting', 'approved'])

/** `changes list`: every write to the platform that somebody asked for, the newest first. */
export const changesList = defineOperation({
  name: 'changes list',
  aliases: ['changes'],
  summary: 'List the writes that were asked for, and what became of them',
  effect: 'read',
  minimumRole: 'viewer',
  audience: 'caller',
  shareable: false,
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
  present({ changes, hasMore }, { state, mine }, { now, command }) {
    const filter: RawValues = { ...(state !== undefined && { state }), ...(mine === true && { mine: 'true' }) }
    const last = changes.at(-1)
    return {
      message: listAnswer(changes, { filtered: Object.keys(filter).length > 0, now, command }),
      buttons: [
        ...(hasMore && last !== undefined
          ? [{ kind: 'page' as const, label: 'Older', values: { ...filter, before: last.change.id } }]
          : []),
        ...(mine === true || changes.length === 0
          ? []
          : [{ kind: 'page' as const, label: 'Only mine', values: { ...filter, mine: 'true' } }]),
      ],
    }
  },
})

async function approvalsOf({ id, state }: Change, store: OperationContext['store']): Promise<readonly Approval[]> {
  return UNDER_WAY.has(state) ? store.approvals.of(id) : []
}
