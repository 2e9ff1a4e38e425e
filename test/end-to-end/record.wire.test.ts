import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADA, OLGA, OTTO, VERA } from '../../src/playground/slack/seed.ts'
import { auditIn } from '../support/store-file.ts'
import { Scene } from './scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await Scene.start()
  await scene.types(OLGA, '/cdn zones add pull 301 web', { until: /web.*pull zone 301/ })
  await scene.types(VERA, '/cdn keys list', { until: /needs the role operator/ })
})
afterAll(async () => scene.close())
const newestBy = (who: string) => auditIn(scene.store).findLast(({ actor }) => actor === who)

test('an admin reads the record, which then has that too', async () => {
  const { messages, text } = await scene.types(ADA, '/cdn audit', { until: /entries of the audit log/ })
  expect(messages).toMatchObject([{ ephemeral: true }])
  expect(text).toMatch(/zone name added.*zones add.*Named pull zone 301 web/)
  expect(text).toMatch(/refused or declined.*keys list/)
  expect(newestBy(ADA)).toMatchObject({ event: 'read', operation: 'audit' })
})

test('one person and one operation are picked out by what Slack makes of their name', async () => {
  const { text } = await scene.types(ADA, `/cdn audit <@${OLGA}|olga> zones add`, { until: /of the audit log/ })
  expect(text).toContain('zone name added')
  expect(text).not.toContain('keys list')
})

test('the file goes to whoever asked', async () => {
  await scene.types(ADA, '/cdn audit --csv', { until: /sent to your direct messages, has all/ })
  await scene.stage.slack.until(() => scene.person(ADA).files().length === 1)
  const [file] = scene.person(ADA).files()
  expect(file?.channel).toBe(scene.person(ADA).direct())
  expect(file?.content).toContain('zone_added')
})

test('it is verified, and again with the head that was noted', async () => {
  const first = await scene.types(ADA, '/cdn audit verify', { until: /The record is sound/ })
  const head = /\d+:[0-9a-f]{64}/.exec(first.text)?.[0] ?? ''
  const again = await scene.types(ADA, `/cdn audit verify ${head}`, { until: /The record is sound/ })
  expect(again.text).toContain('is the one that was noted')
})

test.each([
  ['audit', 'audit'],
  ['audit verify', 'audit verify'],
  ['whoami', `whoami <@${OTTO}|otto>`],
])('an operator is refused %s, on record', async (operation, command) => {
  await scene.types(OLGA, `/cdn ${command}`, { until: /needs the role admin; yours is operator\. Nothing was done/ })
  expect(newestBy(OLGA)).toMatchObject({ event: 'denied', operation })
})

test('an admin asks what somebody else may do', async () => {
  const known = await scene.types(ADA, `/cdn whoami <@${OTTO}|otto> dns add`, { until: /has the role/ })
  expect(known.text).toMatch(/has the role \*operator\*[\s\S]*`dns add`: reviewed and confirmed/)
  const unknown = await scene.types(ADA, '/cdn whoami U0NOBODY99', { until: /U0NOBODY99/ })
  expect(unknown.text).toContain('Slack did not say who U0NOBODY99 is')
})

test.each(['cancel', 'settle'])('%s says so when there is no such change', async (act) => {
  const typed = `/cdn changes ${act} ${'0'.repeat(32)}${act === 'settle' ? ' happened' : ''}`
  const { text } = await scene.types(OLGA, typed, { until: /change/ })
  expect(text).toContain('This change is not known any more. Nothing was done.')
})
