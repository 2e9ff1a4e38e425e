import { OPERATIONS } from '../../../src/operations/index.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { parseCommand } from '../../../src/slack/command-text/parse-command.ts'
import { type ChangeState, isFinal } from '../../../src/store/change.ts'
import type { Cell } from './cells.ts'
import { CHANNELS } from './cells.ts'
import type { Floor } from './floor.ts'
import { IDENTITIES, type Identity, OUR_TEAM, REQUESTER } from './identities.ts'

/** What a cell is about: a change or an answer, and the message that stands for it. */
export interface AtHand {
  readonly id: string
  readonly ts?: string | undefined
}

/** A zone that somebody named, and may lose its name. */
export const STORED_NAME = 'blog'

/** Puts there what the cell is about. */
export async function prepare(floor: Floor, { who, what, state }: Cell): Promise<AtHand> {
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
  'notices',
  'zone_names',
  'alert_states',
  'alert_rules',
  'silences',
  'marks',
] as const

/** Takes everything away again. */
export function tidy({ memory, board }: Floor): void {
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
    message: JSON.stringify({ text: 'It was shown.', blocks: [] }),
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
  const { memory, clock, announcer, desk, directory } = floor
  const requester = await directory.actor(REQUESTER)
  const begun = await desk.begin(LIBRARY_CREATE, VALUES, requester, CHANNELS['another channel'])
  const { id, hash = '' } = (await desk.review(begun, VALUES, requester)).change
  if (state === 'draft') return { id }
  await desk.submit(id, requester)
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
