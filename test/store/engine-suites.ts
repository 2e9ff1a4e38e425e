import { describe } from 'vitest'
import { alertRulesSuite } from './alerts/alert-rules-suite.ts'
import { alertsSuite } from './alerts/alerts-suite.ts'
import { digestsSuite } from './alerts/digests-suite.ts'
import { incidentAnswersSuite } from './alerts/incident-answers-suite.ts'
import { minutesSuite } from './alerts/minutes-suite.ts'
import { silencesSuite } from './alerts/silences-suite.ts'
import { answersSuite, responseAddressesSuite } from './answers-suite.ts'
import { auditSuite } from './audit-suite.ts'
import { auditKeySuite, auditTamperingSuite } from './audit-tampering-suite.ts'
import { approvalsSuite } from './changes/approvals-suite.ts'
import { changeSweepSuite } from './changes/change-sweep-suite.ts'
import { changesSuite } from './changes/changes-suite.ts'
import { deliveriesSuite } from './outbox/idempotency-keys-suite.ts'
import { outboxSuite } from './outbox/outbox-suite.ts'
import { rememberedSuite } from './remembered-suite.ts'
import { changeMessagesSuite } from './schema/change-messages-suite.ts'
import { storeSuite } from './store-suite.ts'
import { unreadableSuite } from './unreadable-suite.ts'
import { zoneNamesSuite } from './zone-names-suite.ts'
import type { StoreHarness } from './harness.ts'

const SUITES: Readonly<Record<string, (harness: StoreHarness) => void>> = {
  store: storeSuite,
  audit: auditSuite,
  'audit key': auditKeySuite,
  'audit tampering': auditTamperingSuite,
  changes: changesSuite,
  'change sweep': changeSweepSuite,
  approvals: approvalsSuite,
  deliveries: deliveriesSuite,
  remembered: rememberedSuite,
  'messages about changes': changeMessagesSuite,
  'zone names': zoneNamesSuite,
  answers: answersSuite,
  'response addresses': responseAddressesSuite,
  minutes: minutesSuite,
  'alert rules': alertRulesSuite,
  alerts: alertsSuite,
  'an answer to an incident': incidentAnswersSuite,
  digests: digestsSuite,
  outbox: outboxSuite,
  'silences and marks': silencesSuite,
  'a row that cannot be read': unreadableSuite,
}

/** Everything that holds on any engine. */
export function engineSuites(harness: StoreHarness): void {
  describe.each(Object.entries(SUITES))('%s', (_, suite) => {
    suite(harness)
  })
}
