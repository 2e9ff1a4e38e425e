import { Dispatcher } from '../../../src/delivery/dispatcher.ts'
import { NotDelivered, type Notifier } from '../../../src/delivery/notifier.ts'
import type { People } from '../../../src/execution/policy/people.ts'
import { createServices } from '../../../src/execution/services.ts'
import type { Operation } from '../../../src/operations/declaration/operation.ts'
import { StoreError } from '../../../src/store/schema/store-error.ts'
import { changeRows } from './looking.ts'
import type { World } from './world.ts'
import type { Store } from '../../../src/store/store.ts'
import { noIncidents } from '../../support/alert-desk.ts'
import { serviceOptions } from '../../support/execution-bench.ts'
import { ledgerOperations, plainAnswer } from '../../support/ledger-operations.ts'

/** What the mark of a change begins with, in the free field of the platform. */
const MARK = 'cdn-ops '

/** The execution floor of one process, as the program puts it together. */
export interface Process extends ReturnType<typeof createServices> {
  readonly store: Store
  readonly dispatcher: Dispatcher
  readonly people: People
  /** The write that everybody asks for. */
  readonly write: Operation
}

/** One process of the bot, until it ends. */
export interface Life {
  readonly process: Process
  readonly alive: boolean
  /** How often it passes between itself and the world before it ends, if it is to end. */
  passings: number | undefined
  rounding: boolean
}

const WRITES = /^before (changes\.(create|saveDraft|move|shown|recover|expire)|approvals\.add|outbox|audit\.append)/

/** Starts a process that can end at whatever it does: then nothing of it reaches store, Slack or platform any more. */
export function beginLife(world: World, holder: string): Life {
  let alive = true
  const gate: Gate = (passing) => {
    if (life.passings !== undefined) {
      life.passings -= 1
      if (life.passings < 0) alive = false
    }
    if (!alive) throw new Error('This process has ended')
    if (world.failingWrites > 0 && WRITES.test(passing)) {
      world.failingWrites -= 1
      throw new StoreError('full')
    }
    return world.pace(passing)
  }
  const { witness, platform, town } = world
  const store = gatedStore(world.memory.store, gate)
  const people: People = {
    actor: (id) => through(gate, 'people.actor', () => town.actor(id)),
    candidates: town.candidates.bind(town),
    admins: town.admins.bind(town),
    named: town.named.bind(town),
    groupsWith: town.groupsWith.bind(town),
  }
  const operations = ledgerOperations({
    write: ({ marker = '' }) => {
      const mark = marker.slice(MARK.length)
      const id = changeRows(world).find((row) => row.id.startsWith(mark))?.id ?? mark
      return through(gate, 'platform', () => platform.create(id, () => witness.atCall(id)))
    },
    show: (stored) => plainAnswer(`It was ${stored}.`),
    read: async () => plainAnswer('Three lines.'),
  })
  const ground = { operations, store, people, clock: world.clock, notifier: notifier(world, gate) }
  const options = serviceOptions({ ...ground, policy: () => world.policy, holder })
  const dispatcher = new Dispatcher({ ...options, outbox: store.outbox, incidents: noIncidents })
  const life: Life = {
    process: { ...createServices(options), store, dispatcher, people, write: operations[0]! },
    get alive() {
      return alive
    },
    passings: undefined,
    rounding: false,
  }
  return life
}

function notifier(world: World, gate: Gate): Notifier {
  const { board } = world
  const send = <T>(what: string, work: () => Promise<T>): Promise<T> =>
    through(gate, what, async () => {
      if (world.slack === 'down') throw new NotDelivered('internal_error', false)
      const result = await work()
      if (world.slack === 'takes it and fails') throw new NotDelivered('timeout', false)
      return result
    })
  return {
    post: (recipient, message) => send('post', () => board.post(recipient, message)),
    edit: (place, message) => send('edit', () => board.edit(place, message)),
    reply: (place, message, options) => send('reply', () => board.reply(place, message, options)),
  }
}

/** What everything passes on its way out of a process and back: it may throw, or make it wait. */
export type Gate = (passing: string) => unknown

/** Runs `work` between two passings of the gate: before it has its effect, and before anybody hears of it. */
async function through<T>(gate: Gate, what: string, work: () => Promise<T> | T): Promise<T> {
  await gate(`before ${what}`)
  const result = await work()
  await gate(`after ${what}`)
  return result
}

/** The store as one process sees it: every call of a method goes through the gate. */
function gatedStore(store: Store, gate: Gate): Store {
  const part = <T extends object>(name: string, whole: T): T =>
    new Proxy(whole, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key, target)
        if (typeof member !== 'function') return member
        // A listener stays inside of the process.
        if (key === 'onPut') return member.bind(target)
        return (...parameters: readonly unknown[]) =>
          through(gate, `${name}.${String(key)}`, () => Reflect.apply(member, target, parameters) as unknown)
      },
    })
  return {
    ...store,
    changes: part('changes', store.changes),
    approvals: part('approvals', store.approvals),
    outbox: part('outbox', store.outbox),
    audit: part('audit', store.audit),
    answers: part('answers', store.answers),
    zones: part('zones', store.zones),
    remembered: part('remembered', store.remembered),
  }
}
