import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EndpointName } from '../../src/cdn/contract/endpoints.ts'
import type { Fault } from '../../src/playground/cdn/faults.ts'
import { renderMessage } from '../../src/playground/slack/render-text.ts'
import { ADA, OLGA, OPERATORS_GROUP, OPS, OTTO, VERA } from '../../src/playground/slack/state/seed.ts'
import { systemClock as clock } from '../../src/shared/clock.ts'
import { spellingsOf } from '../safety/canary/spellings.ts'
import { type BotProcess, type BotStage, closedPort, openBotStage } from '../support/bot.ts'
import { bytesOf, filledTables } from '../support/store-file.ts'
import { Scene } from './scene.ts'
import { BROKEN } from '../support/broken-answers.ts'

const DAY_MS = 86_400_000
const YESTERDAY = new Date(clock.now().getTime() - DAY_MS).toISOString().slice(0, 10)
/** Longer than from one round of maintenance to the next. */
const ROUND_MS = 20_000
/** The first log query of a process waits ten seconds for its slot. */
const LOG_TOUR_TIMEOUT_MS = 60_000

/** Made up here, so that nothing else can contain them. */
const CANARIES = {
  botToken: 'xoxb-canary-1f0c7a52-bot',
  appToken: 'xapp-canary-2b9d4e61-app',
  accessKey: 'canary-3c8e5f70-access-key',
  auditKey: 'canary-4d7f6a81-audit-key',
  apiKey: 'canary-5e6a7b92-api-key',
  libraryKey: 'canary-6f5b8ca3-library-key',
  readOnlyKey: 'canary-705c9db4-read-only-key',
  deprecatedKey: 'canary-814daec5-deprecated-key',
  webhook: 'canary-0c1d2e3f-webhook',
  heartbeat: 'canary-4a5b6c7d-heartbeat',
  authorization: 'Bearer canary-923ebfd6-end-user',
  urlSecret: 'canary-a32fc0e7-url',
  sentVariable: 'canary-b410d1f8-sent',
  refusedVariable: 'canary-c501e209-refused',
  unknownVariable: 'canary-d6f2f31a-unknown',
  cancelledVariable: 'canary-e7e3042b-cancelled',
  closedVariable: 'canary-f8d4153c-closed',
  approvedVariable: 'canary-09c5264d-approved',
  declinedVariable: 'canary-1ab6375e-declined',
  aloneVariable: 'canary-2ba7486f-alone',
} as const
/** Something each sink is known to hold, so that a scan which finds nothing has looked. */
const CONTROL = 'control-zone-name'

/** One zone takes an approval, which operators may go without. */
const CONFIG = `policies:
  - { operations: [dns add], zones: [dns/202], decision: approve }
breakGlass: { groups: [${OPERATORS_GROUP}] }
`
/** Of what a story with approvals fills. */
const TABLES = ['approvals', 'deliveries', 'remembered']

let stage: BotStage
let bot: BotProcess
/** Of those that tell its health. */
let page: (path: string) => Promise<string>
let scene: Scene

beforeAll(async () => {
  const { botToken, appToken, accessKey, authorization, urlSecret } = CANARIES
  const apiKeys = [CANARIES.apiKey]
  const libraryKeys = [CANARIES.libraryKey, CANARIES.readOnlyKey, CANARIES.deprecatedKey] as const
  stage = await openBotStage({
    slack: { botToken, appToken },
    cdn: { accessKey, canaries: { apiKeys, libraryKeys, authorization, urlSecret } },
  })
  const config = join(stage.folder, 'cdn-ops.yaml')
  await writeFile(config, CONFIG)
  const [nowhere, health] = [await closedPort(), await closedPort()]
  page = async (path) => (await fetch(`http://127.0.0.1:${health}${path}`)).text()
  bot = await stage.startLinked({
    ...stage.settings,
    CONFIG_FILE: config,
    AUDIT_KEY: CANARIES.auditKey,
    ALERT_WEBHOOK_URL: `http://127.0.0.1:${nowhere}/${CANARIES.webhook}`,
    HEARTBEAT_URL: `http://127.0.0.1:${nowhere}/${CANARIES.heartbeat}`,
    HEALTH_PORT: String(health),
    LOG_LEVEL: 'trace',
  })
  scene = Scene.around(stage)
})

afterAll(() => stage.close())

test(
  'no secret reaches Slack, the log or the store, whatever people do',
  { timeout: LOG_TOUR_TIMEOUT_MS },
  async () => {
    await readEverything()
    await writeEverything()
    await askOthers()
    await failEverything()
    expect.soft(filledTables(stage.store)).toEqual(expect.arrayContaining(TABLES))
    const running = bytesOf(stage.store).toString('latin1')
    const pages = (await Promise.all(['/metrics', '/healthz', '/readyz'].map(page))).join('\n')
    await stopped()
    const { calls, files, log, database } = sinks()

    expect.soft(calls).toContain(CONTROL)
    expect.soft(pages).toContain('cdn_ops_')
    expect.soft(log).toContain(scene.stage.cdn.managementUrl)
    expect.soft(running).toContain(CONTROL)
    expect.soft(database).toContain(CONTROL)
    expect.soft(files).toContain('video.media.example')
    const own = (value: string): string => value.replace(/^.*canary-/, '').slice(0, 8)
    const planted = Object.entries(CANARIES).map(([name, value]) => [name, spellingsOf(value, own(value))] as const)
    for (const [sink, text] of Object.entries({ calls, files, log, running, database, pages })) {
      for (const [name, spellings] of [...planted, ...responseUrls()]) {
        for (const [how, form] of Object.entries(spellings)) {
          expect.soft(text.includes(form), `${name} in ${sink}, ${how}`).toBe(false)
        }
      }
    }
  },
)

async function readEverything(): Promise<void> {
  await scene.types(ADA, `/cdn zones add storage 101 ${CONTROL}`, { until: new RegExp(CONTROL) })
  await scene.types(VERA, `/cdn storage stats ${CONTROL} --csv`, { until: /Number of files, by day/ })
  await scene.presses(VERA, 'Share in channel', { until: /Shared by @vera/ })
  await scene.types(OLGA, '/cdn keys list', { until: new RegExp(`…${CANARIES.apiKey.slice(-4)}`) })
  await scene.presses(OLGA, 'Next', { until: /Page 2 of 50/ })
  const slowly = { until: /Newest matching lines/, timeoutMs: 20_000 }
  await scene.types(VERA, '/cdn logs 302 --since 2h --cache all --csv', slowly)
  await scene.types(VERA, `/cdn logs 302 --day ${YESTERDAY} --cache all --csv`, {
    until: /file of the day/,
  })
  await scene.stage.slack.until(() => scene.person(VERA).files().length === 3)
  for (const command of ['', 'help', 'whoami', 'zones list', 'changes list']) {
    await scene.types(VERA, `/cdn ${command}`, { until: /\S{20}|viewer|No |Nothing|names? of zones/ })
  }
}

async function writeEverything(): Promise<void> {
  await confirmed('library create demo', /═══ Done ═══[\s\S]*created video library/)
  await confirmed(scriptRecord('sent', CANARIES.sentVariable), /═══ Done ═══[\s\S]* added an? /)
  await failing('addDnsRecord', { kind: 'status', status: 403 }, () =>
    confirmed(scriptRecord('refused', CANARIES.refusedVariable), /═══ Refused ═══/),
  )
  await failing('addDnsRecord', { kind: 'reset', carriedOut: true }, () =>
    confirmed(scriptRecord('unknown', CANARIES.unknownVariable), /═══ Unknown ═══/),
  )
  await scene.types(OLGA, `/cdn ${scriptRecord('cancelled', CANARIES.cancelledVariable)}`, { until: /═══ Review ═══/ })
  await scene.person(OLGA).closeView()
  // A mistake opens the form, which is then left.
  await scene.types(OLGA, `/cdn ${scriptRecord('closed', CANARIES.closedVariable)} --ttl never`, {
    until: /═══ Add a DNS record ═══/,
  })
  await scene.person(OLGA).closeView()
  await scene.types(OLGA, '/cdn changes list', { until: /the newest first/ })
}

/** What waits for others keeps its values until it is sent, or ended otherwise. */
async function askOthers(): Promise<void> {
  await asked('declined', CANARIES.declinedVariable)
  await scene.presses(OTTO, 'Decline …', { until: /═══ Decline\? ═══/ })
  await scene.submits(OTTO, { reason: 'Not today' }, { until: /You have declined it/ })
  await scene.person(OTTO).closeView()
  await asked('approved', CANARIES.approvedVariable)
  await scene.presses(OTTO, 'Approve …', { until: /═══ Approve\? ═══/ })
  await scene.submits(OTTO, {}, { until: /═══ Done ═══[\s\S]* added an? / })
  await scene.person(OTTO).closeView()
  await scene.types(OLGA, `/cdn ${scriptRecord('alone', CANARIES.aloneVariable, 202)}`, { until: /═══ Review ═══/ })
  await scene.submits(OLGA, { alone: 'Nobody else is here' }, { until: /═══ Done ═══[\s\S]* added an? / })
  await scene.person(OLGA).closeView()
  // The notices of both are sent with the next round.
  await scene.stage.slack.until(() => /Declined: nothing was sent[\s\S]*Done/.test(toldTo(OLGA)), ROUND_MS)
  await scene.stage.slack.until(() => /confirmed alone what takes an approval/.test(toldTo(ADA)), ROUND_MS)
}

async function asked(name: string, variable: string): Promise<void> {
  await scene.types(OLGA, `/cdn ${scriptRecord(name, variable, 202)}`, { until: /═══ Review ═══/ })
  const posted = (): number => scene.person(OTTO).messages(OPS).length
  const before = posted()
  await scene.submits(OLGA, {}, { until: /Others are being asked/ })
  await scene.person(OLGA).closeView()
  await scene.stage.slack.until(() => posted() > before)
}

function toldTo(who: string): string {
  const person = scene.person(who)
  return person.messages(person.direct()).map(renderMessage).join('\n')
}

/** The answers of a failing platform carry secrets too, and so may what is logged about them. */
async function failEverything(): Promise<void> {
  const faults: readonly Fault[] = [{ kind: 'status', status: 401 }, ...Object.values(BROKEN)]
  for (const fault of faults) {
    await failing('listApiKeys', fault, () => scene.types(OLGA, '/cdn keys list', { until: /:warning:/ }))
    await failing('queryLogs', fault, () => scene.types(OLGA, '/cdn logs 302 --since 5m', { until: /:warning:/ }))
    await failing('createVideoLibrary', fault, () => confirmed('library create broken', /═══ (Done|Refused) ═══/))
  }
}

async function stopped(): Promise<void> {
  bot.kill('SIGTERM')
  expect(await bot.ended).toEqual({ code: 0, signal: null })
}

async function confirmed(command: string, until: RegExp): Promise<void> {
  await scene.types(OLGA, `/cdn ${command}`, { until: /═══ Review ═══/ })
  await scene.submits(OLGA, {}, { until })
  await scene.person(OLGA).closeView()
}

async function failing(endpoint: EndpointName, fault: Fault, work: () => Promise<unknown>): Promise<void> {
  const { faults } = scene.stage.cdn
  faults.set(endpoint, fault)
  await work()
  faults.clear()
}

function scriptRecord(name: string, value: string, zone = 201): string {
  return `dns add ${zone} Script ${name} 77 --variables MODE=live --variables TOKEN=${value}`
}

/** All that left the program, or stays behind. */
function sinks(): { calls: string; files: string; log: string; database: string } {
  const { slack } = scene.stage
  return {
    calls: slack.calls.map(({ method, args }) => JSON.stringify([method, args])).join('\n'),
    files: [VERA, OLGA]
      .flatMap((who) =>
        scene
          .person(who)
          .files()
          .map(({ content }) => content),
      )
      .join('\n'),
    log: bot.output() + bot.errors(),
    database: bytesOf(stage.store).toString('latin1'),
  }
}

/** The secret part of every response address that was handed to the bot. */
/** Random digits, as ids in files are: eight of them would meet by chance. */
function responseUrls() {
  const urls = scene.stage.slack.deliveries.flatMap(({ payload }) => {
    const url = payload['response_url']
    return typeof url === 'string' ? [url.slice(url.lastIndexOf('/') + 1)] : []
  })
  expect(urls.length).toBeGreaterThan(10)
  return urls.map((url) => ['a response_url', spellingsOf(url, url.slice(0, 16))] as const)
}
