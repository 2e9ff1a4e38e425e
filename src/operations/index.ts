import { alertsAcknowledge, alertsDismiss, alertsNote } from './alerts/alerts-acknowledge.ts'
import { alertsAssign, alertsRelease } from './alerts/alerts-assign.ts'
import { alertsAdd } from './alerts/alerts-add.ts'
import { alertsRemove, alertsResume } from './alerts/alerts-remove.ts'
import { alertsDigest } from './alerts/alerts-digest.ts'
import { alertsKinds } from './alerts/alerts-kinds.ts'
import { alertsList } from './alerts/alerts-list.ts'
import { alertsMark, alertsUnmark } from './alerts/alerts-mark.ts'
import { alertsSilence, alertsUnsilence } from './alerts/alerts-silence.ts'
import { alertsTest } from './alerts/alerts-test.ts'
import { alertsWatch } from './alerts/alerts-watch.ts'
import { alertsWhy } from './alerts/alerts-why.ts'
import { apiKeys } from './keys/keys-list.ts'
import { audit, auditVerify } from './audit/audit.ts'
import { changesCancel, changesSettle, changesList, changesShow } from './changes/changes.ts'
import { doctor } from './help/doctor.ts'
import { dnsAdd } from './dns/dns-add.ts'
import { help } from './help/help.ts'
import { whoami } from './help/whoami.ts'
import { history } from './history/history.ts'
import { libraryCreate } from './library/library-create.ts'
import { logs } from './logs/logs.ts'
import type { Operation } from './declaration/operation.ts'
import { status } from './status/status.ts'
import { storageStats } from './storage/storage-stats.ts'
import { zonesAdd, zonesList, zonesRemove } from './zones/zones.ts'

/** Those with a question first, in the order in which help and Home show them. */
export const OPERATIONS: readonly Operation[] = [
  status,
  history,
  logs,
  storageStats,
  apiKeys,
  dnsAdd,
  libraryCreate,
  alertsWatch,
  alertsList,
  alertsKinds,
  alertsTest,
  alertsAdd,
  alertsSilence,
  alertsUnsilence,
  alertsMark,
  alertsUnmark,
  alertsDigest,
  alertsRemove,
  alertsResume,
  alertsAcknowledge,
  alertsAssign,
  alertsRelease,
  alertsNote,
  alertsDismiss,
  alertsWhy,
  zonesAdd,
  zonesList,
  zonesRemove,
  changesList,
  changesShow,
  changesCancel,
  changesSettle,
  audit,
  auditVerify,
  doctor,
  whoami,
  help,
]
