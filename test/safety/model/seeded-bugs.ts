import { CdnError } from '../../../src/cdn/errors.ts'
import type { Actor } from '../../../src/operations/role.ts'
import type { ChangeMove } from '../../../src/store/change-step.ts'
import type { Change } from '../../../src/store/change.ts'
import type { Store } from '../../../src/store/store.ts'
import type { SeededBug } from './world.ts'

/** A bug by what it would be in the program, with the rule that has to notice it. */
export interface NamedBug extends SeededBug {
  readonly name: string
  readonly noticed: RegExp
}

const DAY_MS = 86_400_000

/** Mistakes that somebody could make one day, each in what a process stands on. */
export const SEEDED_BUGS: readonly NamedBug[] = [
  {
    name: 'a start sends again what was being sent',
    noticed: /^I1:/m,
    start: ({ memory }) =>
      void memory.sql(`update changes set state = 'approved', updated_at = 0 where state = 'sending'`),
  },
  {
    name: 'a call without an answer is repeated',
    noticed: /^I1:/m,
    ground: (ground) => ({ ...ground, create: (id) => ground.create(id).catch(() => ground.create(id)) }),
  },
  {
    name: 'nothing is written ahead of a call',
    noticed: /^I2:/m,
    ground: (ground, world) => ({
      ...ground,
      store: onMove(ground.store, async (id, move, go) => {
        if (move.to !== 'sending') return go()
        world.memory.sql(`update changes set state = 'sending', lease_holder = ? where id = ?`, world.holder, id)
        return ground.store.changes.get(id)
      }),
    }),
  },
  {
    name: 'no answer is taken for a good one',
    noticed: /^I3:/m,
    ground: (ground) => ({ ...ground, create: (id) => ground.create(id).catch(() => 'stored') }),
  },
  {
    name: 'a failure of the platform is taken for a refusal',
    noticed: /^I4:/m,
    ground: (ground) => ({ ...ground, create: (id) => ground.create(id).catch((error: unknown) => refused(error)) }),
  },
  {
    name: 'roles are remembered for ever',
    noticed: /^(I5:|may)/m,
    ground: (ground) => {
      const known = new Map<string, Actor>()
      const actor = async (id: string): Promise<Actor> => {
        const found = known.get(id) ?? (await ground.people.actor(id))
        known.set(id, found)
        return found
      }
      return { ...ground, people: { ...ground.people, actor } }
    },
  },
  {
    name: 'one approval counts twice',
    noticed: /^I5:/m,
    ground: (ground) => ({
      ...ground,
      store: instead(ground.store, 'approvals', (approvals) => ({
        of: async (id) => [...(await approvals.of(id)), ...(await approvals.of(id))],
      })),
    }),
  },
  {
    name: 'whoever asks is taken for an admin',
    noticed: /^I5:/m,
    ground: (ground) => ({
      ...ground,
      people: { ...ground.people, actor: async (id) => ({ ...(await ground.people.actor(id)), role: 'admin' }) },
    }),
  },
  {
    name: 'rules stay as they were at the start',
    noticed: /^(I5:|may)/m,
    ground: (ground, { policy }) => ({ ...ground, policy: () => policy }),
  },
  {
    name: 'nobody looks at the time when sending',
    noticed: /^I5: .* after its time/m,
    ground: (ground, world) => ({
      ...ground,
      store: onMove(ground.store, (id, move, go) => {
        const later = 'update changes set expires_at = expires_at + ? where id = ?'
        if (move.to === 'sending') world.memory.sql(later, DAY_MS, id)
        return go()
      }),
    }),
  },
  {
    name: 'a message is noted whether Slack took it or not',
    noticed: /^(I6|I12):/m,
    ground: (ground) => ({
      ...ground,
      notifier: {
        edit: (place, message) => ground.notifier.edit(place, message).catch(() => true),
        post: (channel, message) => ground.notifier.post(channel, message).catch(() => ({ channel, ts: '0.0' })),
        reply: (place, message, options) => ground.notifier.reply(place, message, options),
      },
    }),
  },
  {
    name: 'what waits is cleaned up',
    noticed: /^I7:/m,
    ground: (ground, world) => ({
      ...ground,
      store: {
        ...ground.store,
        prune: async () => void world.memory.sql(`delete from changes where state in ('waiting', 'approved')`),
      },
    }),
  },
  {
    name: 'a crash takes an entry with it',
    noticed: /^I8:/m,
    start: ({ memory }) =>
      void memory.sql('delete from audit_entries where seq = (select max(seq) from audit_entries)'),
  },
  {
    name: 'foreign text is taken for markup',
    noticed: /^I10:/m,
    ground: (ground) => ({
      ...ground,
      notifier: { ...ground.notifier, post: (channel, message) => ground.notifier.post(channel, unescaped(message)) },
    }),
  },
  {
    name: 'nobody recovers what a crash left',
    noticed: /^I12:/m,
    ground: (ground) => ({ ...ground, store: instead(ground.store, 'changes', () => ({ recover: async () => [] })) }),
  },
  {
    name: 'a late answer changes what has ended',
    noticed: /^final:/m,
    ground: (ground, world) => ({
      ...ground,
      store: onMove(ground.store, async (id, move, go) => {
        const moved = await go()
        if (moved !== undefined || !move.from.includes('unknown')) return moved
        world.memory.sql('update changes set state = ? where id = ? and ended_at is not null', move.to, id)
        return ground.store.changes.get(id)
      }),
    }),
  },
  {
    name: 'a refusal is not put on record',
    noticed: /^may not:/m,
    ground: (ground) => ({
      ...ground,
      store: instead(ground.store, 'audit', (audit) => ({
        append: async (entry) => audit.append(entry.event === 'denied' ? { ...entry, changeId: undefined } : entry),
      })),
    }),
  },
  {
    name: 'what was secret is kept when a change has ended',
    noticed: /^I9:/m,
    ground: (ground) => ({
      ...ground,
      store: onMove(ground.store, async (_, move, go) => {
        const { values: _masked, ...set } = move.set ?? {}
        return go({ ...move, set })
      }),
    }),
  },
  {
    name: 'who approved is asked of something that never answers',
    noticed: /^I11:/m,
    ground: (ground) => ({
      ...ground,
      store: instead(ground.store, 'approvals', () => ({ of: () => new Promise(() => undefined) })),
    }),
  },
]

type Part = 'changes' | 'approvals' | 'audit'

function refused(error: unknown): never {
  throw error instanceof CdnError ? new CdnError(error.endpoint, { kind: 'rejected', status: 400 }) : error
}

/** The store with some methods of one part replaced. */
function instead<P extends Part>(store: Store, part: P, methods: (whole: Store[P]) => Partial<Store[P]>): Store {
  const replaced = methods(store[part])
  const proxy = new Proxy(store[part], {
    get: (whole, key) => Reflect.get(replaced, key) ?? (Reflect.get(whole, key) as unknown),
  })
  return { ...store, [part]: proxy }
}

type Go = (move?: ChangeMove) => Promise<Change | undefined>

function onMove(store: Store, step: (id: string, move: ChangeMove, go: Go) => Promise<Change | undefined>): Store {
  return instead(store, 'changes', (changes) => ({
    move: (id, move) => step(id, move, (other = move) => changes.move(id, other)),
  }))
}

function unescaped<T>(message: T): T {
  return JSON.parse(JSON.stringify(message).replaceAll('&lt;', '<')) as T // the same message, with other texts
}
