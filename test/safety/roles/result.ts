import type { ChangeState } from '../../../src/store/change.ts'
import type { Floor } from './floor.ts'
import type { Result } from './rule.ts'
import type { SlackCall } from './scripted-slack.ts'

/** What can be seen of a floor from outside, before a meeting and after it. */
export interface Seen {
  readonly denials: number
  readonly calls: number
  readonly approvals: number
  readonly state: string
}

export function see({ memory, platform }: Floor, changeId: string): Seen {
  const [row] = memory.sql(
    `select (select count(*) from audit_entries where event = 'denied') as denials,
      (select count(*) from approvals) as approvals,
      (select state from changes where id = ?) as state`,
    changeId,
  )
  const { denials, approvals, state } = row ?? {}
  return { denials: Number(denials), calls: platform.length, approvals: Number(approvals), state: String(state) }
}

/** What was said to Slack in answer. */
export interface Said {
  readonly calls: readonly SlackCall[]
  readonly acks: readonly unknown[]
}

/** What a meeting came to: one of the results, or a description where it was none that should ever be. */
export function resultOf(before: Seen, after: Seen, { calls: said, acks }: Said): string {
  // That somebody who may declines a change stands on record by the same word.
  const declined = before.state === 'waiting' && after.state === 'denied'
  const denials = after.denials - before.denials - (declined ? 1 : 0)
  const calls = after.calls - before.calls
  const heard = JSON.stringify([said, acks.filter((ack) => ack !== undefined)])
  const what = `${denials} denied, ${calls} calls, ${before.state} > ${after.state}, said ${heard}`
  const moved = after.state !== before.state || after.approvals !== before.approvals
  const views = said.filter(({ method }) => method === 'views.open').map(({ args }) => callbackOf(args['view']))
  if (denials > 0) {
    const nothingElse = denials === 1 && calls === 0 && !moved && views.length === 0 && heard !== SILENT
    return nothingElse ? 'refused' : `half refused: ${what}`
  }
  if (moved) return after.state === 'rejected' && calls === 1 ? 'sent' : calls > 0 ? what : (MOVES[after.state] ?? what)
  const view = OPENED.find(([callback]) => views.includes(callback))
  if (view !== undefined) return calls > 0 ? what : view[1]
  const words = WORDS.find(([pattern]) => pattern.test(heard))
  if (words !== undefined) return calls > 0 ? what : words[1]
  if (heard === SILENT) return 'silence'
  return said.length > 0 ? 'answered' : what
}

const SILENT = '[[],[]]'

const MOVES: Readonly<Record<string, Result>> = {
  waiting: 'waiting',
  denied: 'declined',
  cancelled: 'cancelled',
  done: 'settled',
  not_done: 'settled',
} satisfies Partial<Record<ChangeState, Result>>

const OPENED: readonly (readonly [string, Result])[] = [
  ['form', 'form'],
  ['review', 'review'],
  ['approve', 'prompt'],
  ['decline', 'prompt'],
]

const WORDS: readonly (readonly [RegExp, Result])[] = [
  [/"views\.publish"/, 'Home'],
  [/This click did nothing more|it counts once|It is done as you asked|You have declined it/, 'told'],
  [/Slack could not tell who/, 'unanswered'],
  [/not known any more|has no form/, 'gone'],
]

function callbackOf(view: unknown): string {
  return typeof view === 'object' && view !== null && 'callback_id' in view ? String(view.callback_id) : ''
}
