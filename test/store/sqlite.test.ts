import { afterEach, beforeEach, describe } from 'vitest'
import { minutesSuite } from './minutes-suite.ts'
import { alertRulesSuite } from './alert-rules-suite.ts'
import { alertsSuite } from './alerts-suite.ts'
import { alertPostsSuite } from './alert-posts-suite.ts'
import { silencesSuite } from './silences-suite.ts'
import { answersSuite } from './answers-suite.ts'
import { auditKeySuite } from './audit-key-suite.ts'
import { auditSuite } from './audit-suite.ts'
import { auditTamperingSuite } from './audit-tampering-suite.ts'
import { changeSweepSuite } from './change-sweep-suite.ts'
import { approvalsSuite } from './approvals-suite.ts'
import { noticesSuite } from './notices-suite.ts'
import { deliveriesSuite } from './deliveries-suite.ts'
import { rememberedSuite } from './remembered-suite.ts'
import { changeMessagesSuite } from './change-messages-suite.ts'
import { changesSuite } from './changes-suite.ts'
import { type SqliteHarness, createSqliteHarness } from './sqlite-harness.ts'
import { storeSuite } from './store-suite.ts'
import { unreadableSuite } from './unreadable-suite.ts'
import { zoneNamesSuite } from './zone-names-suite.ts'

let harness: SqliteHarness
beforeEach(() => {
  harness = createSqliteHarness()
})
afterEach(() => harness.close())

describe('SQLite: store', () => {
  storeSuite(() => harness)
})
describe('SQLite: audit', () => {
  auditSuite(() => harness)
})
describe('SQLite: audit key', () => {
  auditKeySuite(() => harness)
})
describe('SQLite: audit tampering', () => {
  auditTamperingSuite(() => harness)
})
describe('SQLite: changes', () => {
  changesSuite(() => harness)
})
describe('SQLite: change sweep', () => {
  changeSweepSuite(() => harness)
})
describe('SQLite: approvals', () => {
  approvalsSuite(() => harness)
})
describe('SQLite: notices', () => {
  noticesSuite(() => harness)
})
describe('SQLite: deliveries', () => {
  deliveriesSuite(() => harness)
})
describe('SQLite: remembered', () => {
  rememberedSuite(() => harness)
})
describe('SQLite: messages about changes', () => {
  changeMessagesSuite(() => harness)
})
describe('SQLite: zone names', () => {
  zoneNamesSuite(() => harness)
})
describe('SQLite: answers', () => {
  answersSuite(() => harness)
})
describe('SQLite: minutes', () => {
  minutesSuite(() => harness)
})
describe('SQLite: alert rules', () => {
  alertRulesSuite(() => harness)
})
describe('SQLite: alerts', () => {
  alertsSuite(() => harness)
})
describe('SQLite: posts about alerts', () => {
  alertPostsSuite(() => harness)
})
describe('SQLite: silences and marks', () => {
  silencesSuite(() => harness)
})
describe('SQLite: a row that cannot be read', () => {
  unreadableSuite('sqlite', () => harness)
})
