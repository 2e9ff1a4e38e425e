import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { OLGA, VERA } from '../../../src/playground/slack/state/seed.ts'
import type { World } from '../../../src/playground/cdn/world/world.ts'
import { Scene } from '../../end-to-end/scene.ts'
import { HOMOGRAPHS, NAUGHTY, NAUGHTY_STRINGS } from '../../fixtures/naughty-strings.ts'
import { outgoingProblemsOf } from '../../support/outgoing-walker.ts'

/** Commands are single lines, and Slack hands them over escaped. */
const LINES = NAUGHTY_STRINGS.filter((text) => !text.includes('\n'))
const ESCAPED = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
])
const WORDS_AT_ONCE = 20

/** The unchanged bot between the two emulators; everything it sends is looked through when the scene ends. */
let scene: Scene
beforeEach(async () => {
  scene = await Scene.start()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await scene.close()
})

describe('strangers who write log lines', () => {
  test('reach nobody and lead nowhere, in answers, groups and files', async () => {
    writeInto(scene.stage.cdn.world)
    const slowly = { until: /Newest matching lines/, timeoutMs: 20_000 }
    await scene.types(VERA, '/cdn logs 301 --since 20m --cache all --csv', slowly)
    for (const by of ['path', 'country']) {
      const command = `/cdn logs 301 --since 5m --cache all --by ${by}`
      await scene.types(VERA, command, { until: /by (path|country)/i, timeoutMs: 20_000 })
    }
    const shown = JSON.stringify(scene.stage.slack.messages.filter(({ author }) => author !== VERA))
    // What was looked for was there to be found: spelled out, in a box or escaped. Which lines are shown is up to chance.
    expect(shown).toMatch(/\\\\u\{[0-9A-F]{4,5}\}/)
    expect(shown).toMatch(/!channel/)
    expect(outgoingProblemsOf(scene.stage.slack)).toEqual([])
  }, 60_000)
})

describe('people who type what they like', () => {
  test('are answered without a word of it becoming more than text', async () => {
    const typed = [...LINES, ...HOMOGRAPHS.map(([text]) => text)].map(escaped)
    const commands = [
      ...typed.filter((_, index) => index % 2 === 0),
      ...NAUGHTY.hiding.map((text) => `storage stats ${text.replaceAll(/\s/gu, '')}`),
      ...typed.filter((_, index) => index % 12 === 1).map((text) => `logs 301 --path ${text}`),
      ...typed.filter((_, index) => index % 6 === 3).map((text) => `whoami ${text}`),
    ]
    const person = scene.person(VERA)
    for (let at = 0; at < commands.length; at += WORDS_AT_ONCE) {
      const some = commands.slice(at, at + WORDS_AT_ONCE)
      await Promise.all(some.map((command) => person.command('C0OPS00001', `/cdn ${command}`)))
      await person.closeView().catch(() => undefined)
    }
    await scene.answersOthers(OLGA)
    expect(scene.stage.slack.deliveries.filter(({ outcome }) => outcome !== 'acked')).toEqual([])
    expect(outgoingProblemsOf(scene.stage.slack)).toEqual([])
  }, 60_000)

  test('get their own text back in a review, which says what is hidden in it', async () => {
    const whole = NAUGHTY.hiding.filter((each) => !/[\r\n\v\f\u2028\u2029\u0085"]/u.test(each))
    for (const text of whole.filter((_, index) => index % 3 === 0)) {
      await scene.types(OLGA, `/cdn dns add 201 TXT text "${escaped(text)}" --comment "${escaped(text)}"`, {
        until: /./,
      })
      await scene.stage.slack.until(() => scene.person(OLGA).view() !== undefined)
      await scene.person(OLGA).closeView()
    }
    expect(outgoingProblemsOf(scene.stage.slack)).toEqual([])
  }, 60_000)
})

describe('a platform and people with names made to fool', () => {
  test('are shown as text', async () => {
    const { workspace } = scene.stage.slack
    workspace.changeMember(OLGA, { name: '<!channel>', realName: '*Ada* <@U0EVIL0001> \u202Eadmin' })
    const { world } = scene.stage.cdn
    const add = world.addRecord.bind(world)
    vi.spyOn(world, 'addRecord').mockImplementation((zone, record) => {
      const stored = add(zone, record)
      const naughty = NAUGHTY_STRINGS.join(' ').slice(0, 2_000)
      return stored === undefined ? undefined : { ...stored, name: naughty, value: naughty }
    })
    await scene.types(OLGA, '/cdn dns add 201 A www 192.0.2.10', { until: /═══ Review ═══/ })
    await scene.submits(OLGA, {}, { until: /═══ Done ═══[\s\S]* added an? / })
    await scene.types(OLGA, '/cdn changes list', { until: /the newest first/ })
    expect(outgoingProblemsOf(scene.stage.slack)).toEqual([])
  })
})

/** Every field a client decides holds one naughty string after the other, in the newest lines most of all. */
function writeInto(world: World): void {
  const read = world.requestsIn.bind(world)
  let next = 0
  const naughty = (): string => {
    next += 1
    return NAUGHTY_STRINGS[next % NAUGHTY_STRINGS.length] ?? ''
  }
  vi.spyOn(world, 'requestsIn').mockImplementation((zone, minute) =>
    read(zone, minute).map((request) => ({
      ...request,
      path: `/${naughty()}`,
      userAgent: naughty(),
      referer: naughty(),
      countryCode: naughty(),
      edgeLocation: naughty(),
      asnOrganization: naughty(),
      ja4Fingerprint: naughty(),
    })),
  )
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => ESCAPED.get(character) ?? character)
}
