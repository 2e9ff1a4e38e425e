import type { Store } from '../../../src/store/store.ts'

/** What everything passes on its way out of a process and back: it may throw, or make it wait. */
export type Gate = (passing: string) => unknown

/** Runs `work` between two passings of the gate: before it has its effect, and before anybody hears of it. */
export async function through<T>(gate: Gate, what: string, work: () => Promise<T> | T): Promise<T> {
  await gate(`before ${what}`)
  const result = await work()
  await gate(`after ${what}`)
  return result
}

/** The store as one process sees it: every call of a method goes through the gate. */
export function gatedStore(store: Store, gate: Gate): Store {
  const part = <T extends object>(name: string, whole: T): T =>
    new Proxy(whole, {
      get: (target, key) => {
        const member: unknown = Reflect.get(target, key, target)
        if (typeof member !== 'function') return member
        return (...parameters: readonly unknown[]) =>
          through(gate, `${name}.${String(key)}`, () => Reflect.apply(member, target, parameters) as unknown)
      },
    })
  return {
    ...store,
    changes: part('changes', store.changes),
    approvals: part('approvals', store.approvals),
    notices: part('notices', store.notices),
    audit: part('audit', store.audit),
    answers: part('answers', store.answers),
    zones: part('zones', store.zones),
    remembered: part('remembered', store.remembered),
  }
}
