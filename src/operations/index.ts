import { alertsAcknowledge, alertsDismiss } from './alerts/incident-answer.ts'
import { alertsAdd } from './alerts/alerts-add.ts'
import { alertsKinds } from './alerts/alerts-kinds.ts'
import { alertsList } from './alerts/alerts-list.ts'
import { alertsMark } from './alerts/alerts-mark.ts'
import { alertsRemove, alertsResume } from './alerts/alerts-remove.ts'
import { alertsSilence, alertsUnsilence } from './alerts/alerts-silence.ts'
import { alertsTest } from './alerts/alerts-test.ts'
import { alertsWatch } from './alerts/alerts-watch.ts'
import { apiKeys } from './api-keys.ts'
import { audit } from './audit/audit.ts'
import { auditVerify } from './audit/audit-verify.ts'
import { changesCancel, changesSettle } from './changes/changes-settle.ts'
import { changesList } from './changes/changes-list.ts'
import { changesShow } from './changes/changes-show.ts'
import { dnsAdd } from './dns/dns-add.ts'
import { help } from './help.ts'
import { libraryCreate } from './library/library-create.ts'
import { logs } from './logs/logs.ts'
import type { Operation } from './operation.ts'
import { status } from './status/status.ts'
import { storageStats } from './storage-stats.ts'
import { whoami } from './whoami.ts'
import { zonesAdd, zonesList, zonesRemove } from './zones/zones.ts'

export const OPERATIONS: readonly Operation[] = [
  storageStats,
  apiKeys,
  libraryCreate,
  dnsAdd,
  logs,
  status,
  alertsWatch,
  alertsAdd,
  alertsList,
  alertsKinds,
  alertsTest,
  alertsSilence,
  alertsUnsilence,
  alertsMark,
  alertsRemove,
  alertsResume,
  alertsAcknowledge,
  alertsDismiss,
  zonesAdd,
  zonesList,
  zonesRemove,
  changesList,
  changesShow,
  changesCancel,
  changesSettle,
  audit,
  auditVerify,
  whoami,
  help,
]
