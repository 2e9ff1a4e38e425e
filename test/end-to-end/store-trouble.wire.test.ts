import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { OLGA, OPS, VERA } from '../../src/playground/slack/state/seed.ts'
import { renderMessage } from '../../src/playground/slack/render-text.ts'
import { FailingSqlite, type SqliteFault } from '../support/failing-sqlite.ts'
import { Scene } from './scene.ts'

const RECORD = '/cdn dns add 201 A www 192.0.2.10'
const STATISTICS = { until: /Number of files, by day/ }
const REFUSED =
  /Nothing was done: CDN Ops does not act without it|audit log cannot be written|nothing was sent|not known whether/i

/** Each as SQLite reports it, and what operators are told of it. */
const TROUBLES: readonly (readonly [what: string, fault: SqliteFault, told: RegExp])[] = [
  ['has no space left', { code: 'full', at: /^insert/i }, /The store has no space left, so/],
  ['can only be read', { code: 'readOnly', at: /^begin immediate/i }, /The store cannot be written to, so/],
  ['cannot be written to by its disk', { code: 'write', at: /^insert/i }, /The store does not answer, so/],
]

const disk = new FailingSqlite()
let scene: Scene
beforeAll(async () => {
  disk.install()
  scene = await Scene.start()
})
afterEach(() => disk.mend())
afterAll(async () => {
  disk.remove()
  await scene.close()
})

const inOps = (): readonly string[] => scene.person(OLGA).messages(OPS).map(renderMessage)
const told = (pattern: RegExp): number => inOps().filter((text) => pattern.test(text)).length

describe.each(TROUBLES)('while the store %s', (_what, fault, why) => {
  let before: { readonly records: number; readonly keys: number; readonly told: number; readonly again: number }
  beforeEach(() => {
    const { cdn } = scene.stage
    before = {
      records: cdn.count('addDnsRecord'),
      keys: cdn.count('listApiKeys'),
      told: told(why),
      again: told(/can be written again/),
    }
  })

  test('what was reviewed is not sent, keys are not read, plain reads go on; operators are told, and when it is over', async () => {
    const late = { timeoutMs: 15_000 }
    const { cdn, slack } = scene.stage
    await scene.types(OLGA, RECORD, { until: /═══ Review ═══/ })
    disk.break(fault)
    await scene.submits(OLGA, {}, { ...late, until: REFUSED })
    await scene.person(OLGA).closeView()
    await scene.types(OLGA, '/cdn keys list', { ...late, until: REFUSED })
    await scene.types(OLGA, '/cdn zones add pull 301 web', { ...late, until: REFUSED })
    await scene.types(VERA, '/cdn storage stats 101', { ...late, ...STATISTICS })
    expect([cdn.count('addDnsRecord'), cdn.count('listApiKeys')]).toEqual([before.records, before.keys])
    await slack.until(() => told(why) === before.told + 1)
    expect(scene.log.join('')).toMatch(/the record cannot be written: writes and sensitive reads are refused/)

    disk.mend()
    scene.clock.turn(61_000)
    await slack.until(() => told(/can be written again/) === before.again + 1, late.timeoutMs)
    await scene.types(OLGA, '/cdn keys list', { ...late, until: /Page 1 of/ })
    expect(told(why)).toBe(before.told + 1)
    expect(scene.late()).toEqual([])
  })
})
