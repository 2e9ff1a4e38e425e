import { turnOfTheLoop } from '../../../src/shared/clock.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { type Cell, cells, CHANNELS } from './cells.ts'
import { type Delivery, choosingShortcut, clicking, openingHome, pressing, submitting, typing } from './deliveries.ts'
import { createFloor, type Floor } from './floor.ts'
import { IDENTITIES, type Identity, type IdentityName, OUR_TEAM, REQUESTER } from './identities.ts'
import { type ChangeState, isFinal } from '../../../src/store/schema/change.ts'
import { expected, type Result } from './rule.ts'
import { RULES } from './rules.ts'
import type { SlackCall } from '../../support/slack-bench.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { parseCommand } from '../../../src/slack/command-text/parse-command.ts'

/** Within it, refusals of one person that follow the first are counted, not recorded one by one. */
const COUNTED_MS = 60_000

/** What the bot asks of Slack itself. */
const LOOK_UPS = new Set(['users.info', 'usergroups.users.list'])

export const CELLS = cells()

/** Lets every `step`th cell of somebody happen on the real floor; says where it came to something else than the rules say. */
export async function disagreements(who: IdentityName, step: number): Promise<readonly string[]> {
  const floor = await createFloor(IDENTITIES[who])
  const wrong: string[] = []
  for (const cell of CELLS.filter((each, index) => each.who === who && index % step === 0)) {
    const result = await meet(floor, cell)
    const [wanted] = expected(cell, RULES)
    if (result !== wanted) wrong.push(`${nameOf(cell)}: ${wanted}, and it was ${result}`)
  }
  await floor.memory.close()
  return wrong
}

/** A cell in words. */
export function nameOf({ who, what, where, state }: Cell): string {
  return [who, what, where, state].join(' | ')
}

/** Lets a cell happen on the real floor, and says what it came to. */
async function meet(floor: Floor, cell: Cell): Promise<string> {
  floor.clock.turn(COUNTED_MS)
  const atHand = await prepare(floor, cell)
  const { to, body, event } = deliveryOf(cell, atHand)
  const before = see(floor, atHand.id)
  floor.slack.calls.length = 0
  const acks: unknown[] = []
  await floor.app.handlers.get(to)?.({ ack: async (answer) => void acks.push(answer), body, event })
  await turnOfTheLoop()
  const result = resultOf(before, see(floor, atHand.id), {
    calls: floor.slack.calls.filter(({ method }) => !LOOK_UPS.has(method)),
    acks,
  })
  tidy(floor)
  return result
}

function deliveryOf({ who, what, where }: Cell, { id, ts }: AtHand): Delivery {
  const identity: Identity = IDENTITIES[who]
  const [verb = '', ...rest] = what.split(' ')
  const object = rest.join(' ')
  switch (verb) {
    case 'type':
      return typing(identity, exampleOf(object), where)
    case 'command':
      return typing(identity, `changes ${object} ${id}${object === 'settle' ? ' happened' : ''}`, where)
    case 'press':
      return pressing(identity, object)
    case 'home':
      return pressing(identity, object, id)
    case 'choose':
      return choosingShortcut(identity, object)
    case 'open':
      return openingHome(identity)
    case 'click':
      return clicking(identity, `change:${object}`, id, where, ts)
    case 'own':
    case `another's`:
      return clicking(identity, `answer:${object}:0`, id, where)
    case 'submit':
      return submitting(identity, object, id)
    default:
      throw new Error(`Nobody can ${what}`)
  }
}

/** Ids in examples are made up: what they would do to a change is a cell of its own. */
function exampleOf(name: string): string {
  if (name === 'zones add') return 'zones add dns 7890 example.net'
  if (name === 'zones remove') return `zones remove pull ${STORED_NAME}`
  return OPERATIONS.find((operation) => operation.name === name)!.examples[0]!
}

/** What can be seen of a floor from outside, before a meeting and after it. */
export interface Seen {
  readonly denials: number
  readonly calls: number
  readonly approvals: number
  readonly state: string
}

function see({ memory, platform }: Floor, changeId: string): Seen {
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
function resultOf(before: Seen, after: Seen, { calls: said, acks }: Said): string {
  // That somebody who may declines a change stands on record by the same word.
  const declined = before.state === 'waiting' && after.state === 'denied'
  const denials = after.denials - before.denials - (declined ? 1 : 0)
  const calls = after.calls - before.calls
  const heard = JSON.stringify([said, acks.filter((ack) => ack !== undefined)])
  const what = `${denials} denied, ${calls} calls, ${before.state} > ${after.state}, said ${heard}`
  const moved = after.state !== before.state || after.approvals !== before.approvals
  const views = said.filter(({ method }) => method === 'views.open').map(({ args }) => callbackOf(args['view']))
  if (denials > 0) {
    // On Home the refusal itself stands in a view.
    const areNotices = views.every((callback) => callback === 'notice')
    const nothingElse = denials === 1 && calls === 0 && !moved && areNotices && heard !== SILENT
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
  [/This click did nothing more|it counts once|You have declined it/, 'told'],
  [/Slack could not tell who/, 'unanswered'],
  [/not known any more|has no form/, 'gone'],
]

function callbackOf(view: unknown): string {
  return typeof view === 'object' && view !== null && 'callback_id' in view ? String(view.callback_id) : ''
}

/** What a cell is about: a change or an answer, and the message that stands for it. */
export interface AtHand {
  readonly id: string
  readonly ts?: string | undefined
}

/** A zone that somebody named, and may lose its name. */
const STORED_NAME = 'blog'

/** Puts there what the cell is about. */
async function prepare(floor: Floor, { who, what, state }: Cell): Promise<AtHand> {
  const identity: Identity = IDENTITIES[who]
  const [verb = '', object = ''] = what.split(' ')
  if (verb === 'own' || verb === `another's`) return answerOf(floor, object, verb === 'own' ? identity.id : 'USOMEBODY')
  if (what === 'type zones remove') await nameZone(floor)
  return state === 'none' ? { id: '' } : changeIn(floor, state, identity)
}

/** What a meeting may leave behind. */
const TABLES = [
  'approvals',
  'changes',
  'answers',
  'outbox',
  'zone_names',
  'alert_states',
  'alert_rules',
  'silences',
  'marks',
] as const

/** Takes everything away again. */
function tidy({ memory, board }: Floor): void {
  for (const table of TABLES) memory.sql(`delete from ${table}`)
  for (const channel of Object.values(CHANNELS)) board.clear(channel)
}

async function nameZone({ memory, clock }: Floor): Promise<void> {
  const zone = { kind: 'pull', name: STORED_NAME, zoneId: '777', addedBy: 'UADA', addedAt: clock.now() } as const
  const entry = { at: clock.now(), actor: 'UADA', team: OUR_TEAM, operation: 'zones add', event: 'zone_added' } as const
  await memory.store.zones.add(zone, { ...entry, summary: 'Named' })
}

async function answerOf({ memory, clock }: Floor, kind: string, actorId: string): Promise<AtHand> {
  const id = clock.newId()
  await memory.store.answers.put({
    id,
    kind: kind as 'page', // one of those that the cells name
    operation: 'storage stats',
    values: readValues(),
    actorId,
    team: OUR_TEAM,
    channelId: CHANNELS['another channel'],
    message: { text: 'It was shown.', blocks: [] },
  })
  return { id }
}

/** What the button under an answer asks for anew. */
function readValues(): RawValues {
  const parse = parseCommand('storage stats 101', OPERATIONS)
  return parse.kind === 'operation' ? parse.values : {}
}

/** A change of the requester in this state, with its message in the operations channel once it was asked for. */
async function changeIn(floor: Floor, state: ChangeState, { id: person, approvedBefore }: Identity): Promise<AtHand> {
  const { memory, clock, announcer, changes, directory } = floor
  const requester = await directory.actor(REQUESTER)
  const begun = await changes.begin(LIBRARY_CREATE, VALUES, requester, CHANNELS['another channel'])
  const { id, hash = '' } = (await changes.review(begun, VALUES, requester)).change
  if (state === 'draft') return { id }
  await changes.submit(id, requester)
  await announcer.announce(id)
  const nowMs = clock.now().getTime()
  if (approvedBefore === true)
    memory.sql('insert into approvals values (?, ?, ?, ?, ?)', id, person, REQUESTER, hash, nowMs)
  const endedAt = isFinal(state) ? nowMs : null
  memory.sql('update changes set state = ?, ended_at = ? where id = ?', state, endedAt, id)
  return { id, ts: (await memory.store.changes.get(id))?.messageTs }
}

const LIBRARY_CREATE = OPERATIONS.find(({ name }) => name === 'library create')!
const VALUES = { name: 'Trailers' }
