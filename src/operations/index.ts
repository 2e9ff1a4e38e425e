import { apiKeys } from './api-keys.ts'
import { changesList } from './changes/changes-list.ts'
import { changesShow } from './changes/changes-show.ts'
import { dnsAdd } from './dns/dns-add.ts'
import { help } from './help.ts'
import { libraryCreate } from './library/library-create.ts'
import { logs } from './logs/logs.ts'
import type { Operation } from './operation.ts'
import { storageStats } from './storage-stats.ts'
import { whoami } from './whoami.ts'
import { zonesAdd } from './zones/zones-add.ts'
import { zonesList } from './zones/zones-list.ts'
import { zonesRemove } from './zones/zones-remove.ts'

/** Everything people can ask for, in the order help and documentation show it. */
export const OPERATIONS: readonly Operation[] = [
  storageStats,
  apiKeys,
  libraryCreate,
  dnsAdd,
  logs,
  zonesAdd,
  zonesList,
  zonesRemove,
  changesList,
  changesShow,
  whoami,
  help,
]

/** The operation of exactly this name, as the store and the audit log keep it. */
export function findOperation(name: string): Operation | undefined {
  return OPERATIONS.find((operation) => operation.name === name)
}
