import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { startCdnEmulator } from '../../src/playground/cdn/emulator.ts'
import { startSlackEmulator } from '../../src/playground/slack/emulator.ts'
import { ADMINS_GROUP, NORA, OLGA, OPERATORS_GROUP, RANDOM } from '../../src/playground/slack/state/seed.ts'
import { runDoctor } from '../../src/process/doctor/doctor-command.ts'
import { LEAST_NODE } from '../../src/process/doctor/own-checks.ts'
import { VERSION } from '../../src/process/exit.ts'
import { SCOPES } from '../../src/process/doctor/slack-checks.ts'
import { systemClock } from '../../src/shared/clock.ts'
import { Secret } from '../../src/shared/secret.ts'
import { listen, shut } from '../../src/shared/server.ts'
import { openStore } from '../../src/store/store.ts'
import { rule } from '../store/alert-fixtures.ts'
import { entry, silentLog } from '../store/harness.ts'
import { settingsFor } from '../support/bot.ts'
import { FailingSqlite } from '../support/failing-sqlite.ts'
import { manifest } from '../support/slack-scopes.ts'
import { FAULTS, PULL_ZONE, set, type SetUp } from './set-up-faults.ts'

const AUDIT_KEY = 'k'.repeat(32)

const Report = z.object({
  checks: z.array(
    z.object({
      check: z.string(),
      isUnknown: z.boolean(),
      findings: z.array(z.object({ cause: z.string(), stops: z.boolean() })),
    }),
  ),
})

let setUp: SetUp
const disk = new FailingSqlite()

beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cdn-ops-doctor-'))
  const [slack, cdn] = [await startSlackEmulator(), await startCdnEmulator({ clock: systemClock })]
  const [store, config] = [join(folder, 'store.sqlite'), join(folder, 'cdn-ops.yaml')]
  writeFileSync(config, `roles: {operator: {groups: [${OPERATORS_GROUP}]}}`)
  const opened = await openStore({ url: store, clock: systemClock, log: silentLog, auditKey: new Secret(AUDIT_KEY) })
  const watched = { subject: `pull/${PULL_ZONE}`, mention: NORA, escalate: ADMINS_GROUP }
  await opened.alertRules.add([rule('r1', watched)], () => entry('alert_added'))
  await opened.close()
  const variables = { ...settingsFor(slack, cdn, store), AUDIT_KEY, CONFIG_FILE: config }
  setUp = { slack, cdn, variables, clock: systemClock, nodeVersion: process.versions.node, folder, disk, store, config }
  disk.install()
})
afterEach(async () => {
  disk.mend()
  disk.remove()
  await Promise.all([setUp.slack.close(), setUp.cdn.close()])
  rmSync(setUp.folder, { recursive: true, force: true })
})

/** Runs the tool as a terminal would, but for the ten seconds that a new process waits before it asks for logs. */
async function run(...args: readonly string[]) {
  const { clock, variables, nodeVersion } = setUp
  const written: string[] = []
  const complaints: string[] = []
  const code = await runDoctor(
    args,
    {
      environment: { variables, readFile: (path) => readFileSync(path, 'utf8') },
      clock,
      log: silentLog,
      print: async (text) => void written.push(text),
      complain: (line) => void complaints.push(line),
    },
    { warm: true, nodeVersion },
  )
  return { code, output: written.join(''), complaints: complaints.join('\n') }
}

async function examined() {
  const { code, output } = await run('--json')
  const { checks } = Report.parse(JSON.parse(output))
  return { code, findings: checks.flatMap(({ findings }) => findings), checks }
}

test('a sound set-up has no finding, and everything was looked at', async () => {
  const { code, findings, checks } = await examined()
  expect({ code, findings, unknown: checks.filter(({ isUnknown }) => isUnknown) }).toEqual({
    code: 0,
    findings: [],
    unknown: [],
  })
  expect(checks).toHaveLength(16)
})

describe.each(FAULTS)('where $name', ({ plant, causes }) => {
  test('that alone is found, and what its remedy says clears it', async () => {
    const mend = await plant(setUp)
    const { code, findings } = await examined()
    expect(findings.map(({ cause }) => cause.split(':', 2).join(':'))).toEqual(causes)
    expect(code).toBe(findings.some(({ stops }) => stops) ? 1 : 0)
    await mend()
    expect(await examined()).toMatchObject({ code: 0, findings: [] })
  })
})

describe('what is printed', () => {
  test('is a line for each check, and under each finding what to do', async () => {
    set(setUp, { OPS_CHANNEL: RANDOM, OPERATORS: `${OLGA},U0NOSUCH01` })
    const { code, output } = await run()
    expect(code).toBe(1)
    expect(output).toMatch(/^✓ bot token: for the workspace T0CDNTEAM1$/m)
    expect(output).toMatch(/^✗ OPS_CHANNEL: CDN Ops is not in .*\n {4}→ Invite CDN Ops there with \/invite\.$/m)
    expect(output).toMatch(/^! people: .*\n {4}→ Correct these ids/m)
    expect(output).toMatch(/\n\n2 findings, of which 1 stop something\.\n$/)
  })

  test('holds nothing of a key but the names of its roles', async () => {
    const { output } = await run()
    const { output: json } = await run('--json')
    expect(output).toMatch(/CDN key: accepted, with User, UserApi: lists keys and reads storage statistics/)
    for (const text of [output, json])
      for (const secret of [setUp.cdn.accessKey, setUp.slack.botToken, setUp.slack.appToken, AUDIT_KEY])
        expect(text).not.toContain(secret.slice(-8))
  })

  test('is what is wrong with the settings, and the code is 78', async () => {
    set(setUp, { CDN_API_URL: 'ftp://nowhere', SLACK_BOT_TOKEN: '' })
    const { code, output, complaints } = await run()
    expect({ code, output }).toEqual({ code: 78, output: '' })
    expect(complaints).toMatch(/SLACK_BOT_TOKEN is not set[\s\S]*CDN_API_URL is not/)
    const json = await run('--json')
    expect(json).toMatchObject({ code: 78, complaints: '' })
    expect(JSON.parse(json.output)).toMatchObject({
      ok: false,
      problems: [/SLACK_BOT/, /CDN_API/].map((each) => expect.stringMatching(each) as string),
    })
  })

  test('is how to give settings of a file, where there are none', async () => {
    setUp.variables = {}
    expect((await run()).complaints).toMatch(/\n.*ENV_FILE=cdn-ops\.env npm run doctor$/)
    set(setUp, { CDN_API_KEY: 'k' })
    expect((await run()).complaints).not.toContain('ENV_FILE')
  })

  test('is what is wrong with the configuration file, and the code is 78', async () => {
    writeFileSync(setUp.config, 'roles: {operators: {}}')
    expect(await run()).toMatchObject({
      code: 78,
      complaints: expect.stringMatching(/roles\.operators \(line 1\)/) as string,
    })
  })

  test.each([['--yaml'], ['now']])('is what can be typed, where %s makes no sense', async (word) => {
    expect(await run(word)).toMatchObject({ code: 78, complaints: expect.stringContaining('npm run doctor') as string })
    expect(await run('--help')).toMatchObject({ code: 0, output: expect.stringContaining('npm run doctor') as string })
  })
})

test.each(['', '127.0.0.1:'])('a bot that runs at HEALTH_PORT is asked for what only it can see: %s', async (host) => {
  const checked = { check: 'store', seen: 'as the bot sees it', isUnknown: false, findings: [] }
  const bot = createServer(({ url }, response) => response.end(url === '/doctor' ? JSON.stringify([checked]) : ''))
  try {
    set(setUp, { HEALTH_PORT: `${host}${await listen(bot, 0)}` })
    const { output } = await run()
    expect(output).toMatch(/^✓ store: as the bot sees it$/m)
    expect(output).toMatch(/^\? logs: not looked at, the running bot has it$/m)
  } finally {
    await shut(bot)
  }
})

describe('it leaves all as it is', () => {
  const seesAllButTheStore = async (): Promise<void> => {
    const { code, checks } = await examined()
    expect(code).toBe(0)
    const unknown = checks.filter(({ isUnknown }) => isUnknown).map(({ check }) => check)
    expect(unknown).toEqual(['mentioned by alerts', 'store', 'logs'])
  }
  const files = () =>
    readdirSync(setUp.folder).map((name) => [name, readFileSync(join(setUp.folder, name), 'base64')] as const)
  const tables = () => {
    const database = new DatabaseSync(setUp.store, { readOnly: true })
    const names = database.prepare(`select name from sqlite_schema where type = 'table' order by name`).all()
    const all = names.map(({ name }) => [name, database.prepare(`select * from "${String(name)}"`).all()])
    database.close()
    return JSON.stringify(all)
  }

  test('no link to Slack is opened, nothing is posted, and the store holds what it held', async () => {
    const before = [tables(), readdirSync(setUp.folder).toSorted()]
    await run()
    expect([tables(), readdirSync(setUp.folder).toSorted()]).toEqual(before)
    expect(setUp.slack.linkCount).toBe(0)
    expect(setUp.slack.calls.filter(({ method }) => /^(chat|views|files)\./.test(method))).toEqual([])
    expect(setUp.cdn.requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  test('a store that a bot uses is not opened', async () => {
    const bot = await openStore({
      url: setUp.store,
      clock: systemClock,
      log: silentLog,
      auditKey: new Secret(AUDIT_KEY),
    })
    try {
      const before = files()
      await seesAllButTheStore()
      expect(files()).toEqual(before)
    } finally {
      await bot.close()
    }
  })

  test('where there is no store yet, none is made', async () => {
    set(setUp, { STORE_URL: join(setUp.folder, 'none', 'store.sqlite') })
    await seesAllButTheStore()
    expect(existsSync(join(setUp.folder, 'none'))).toBe(false)
  })
})

test('what is needed is what the manifest asks for', () => {
  expect(Object.keys(SCOPES).toSorted()).toEqual(manifest().oauth_config.scopes.bot.toSorted())
})

test('the version, and that of Node, are those that package.json has', () => {
  const { version, engines } = z
    .object({ version: z.string(), engines: z.object({ node: z.string() }) })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')))
  expect(version).toBe(VERSION)
  expect(engines.node).toBe(`>=${LEAST_NODE}`)
})
