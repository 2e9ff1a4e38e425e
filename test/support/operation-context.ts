import { randomUUID } from 'node:crypto'
import type { Cdn } from '../../src/cdn/contract/cdn.ts'
import type {
  CheckContext,
  Invocation,
  Operation,
  OperationContext,
} from '../../src/operations/declaration/operation.ts'
import type { NamedZone } from '../../src/operations/declaration/field.ts'
import type { RawValues } from '../../src/shared/raw-values.ts'
import { idleDesk, openChannels, soundDoctor } from './alert-desk.ts'

/** The moment at which all tests of operations happen. */
export const NOW = new Date('2026-11-20T12:00:00Z')

const zones: readonly NamedZone[] = [
  { kind: 'storage', name: 'shop', zoneId: '101' },
  { kind: 'pull', name: 'shop', zoneId: '201' },
  { kind: 'dns', name: 'shop', zoneId: '301' },
]

/** What checking needs: one named zone of each kind, and a panel with an address for everything. */
export function checkContext(changes: Partial<CheckContext> = {}): CheckContext {
  return {
    now: NOW,
    zones,
    timeZone: 'UTC',
    panel: (place, id) => new URL(`https://panel.example.com/${id === undefined ? '' : `${place}/${id}`}`),
    ...changes,
  }
}

/** What running needs. Only the given methods of the client exist; progress is collected where wanted. */
export function operationContext(cdn: Partial<Cdn> = {}, changes: Partial<OperationContext> = {}): OperationContext {
  return {
    cdn: cdn as Cdn, // A test gives the methods its operation calls; calling another one fails the test.
    store: {} as OperationContext['store'], // The same: operations that need the store give it.
    actor: { id: 'U1', team: 'T1', role: 'admin', roleSource: 'listed in ADMINS', groups: [], timeZone: 'UTC' },
    admins: [],
    zones,
    changes: { cancel: refused, settle: refused, waitingFor: async () => [] },
    alerts: idleDesk(),
    doctor: soundDoctor,
    channelId: 'C1',
    sharedChannels: [],
    channelInfo: (id) => openChannels.info(id),
    newId: () => randomUUID().replaceAll('-', ''),
    findNamed: async () => [],
    lookUp: refused,
    markerOf: () => undefined,
    now: NOW,
    signal: new AbortController().signal,
    panel: checkContext().panel,
    catalog: [],
    command: '/cdn',
    progress: () => {},
    ...changes,
  }
}

/** Stands for what a test does not expect to be called. */
async function refused(): Promise<never> {
  throw new Error('This test gives no such thing')
}

/** The invocation that values make; throws with the problems when there are any. */
export function invocationOf(operation: Operation, values: RawValues, context = checkContext()): Invocation {
  const parsed = operation.parse(values, context)
  if (parsed.ok) return parsed.invocation
  throw new Error(parsed.issues.map(({ field, problem }) => `${field ?? 'all'}: ${problem}`).join('\n'))
}

/** The problems that values have, as `field: sentence`. */
export function problemsOf(operation: Operation, values: RawValues, context = checkContext()): readonly string[] {
  const parsed = operation.parse(values, context)
  return parsed.ok ? [] : parsed.issues.map(({ field, problem }) => `${field ?? 'all'}: ${problem}`)
}
