import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { endpoints } from '../src/cdn/contract/endpoints.ts'
import { SECRET_SETTINGS, readSettings, Settings } from '../src/config/settings.ts'
import { Metrics } from '../src/process/metrics.ts'
import type { NamedZone } from '../src/operations/declaration/field.ts'
import { OPERATIONS } from '../src/operations/index.ts'
import { parseCommand } from '../src/slack/command-text/parse-command.ts'
import { docsTables, PAGES, PART, withTables } from './support/docs-tables.ts'
import { dockerfile } from './support/image-build.ts'
import { checkContext } from './support/operation-context.ts'
import { manifest } from './support/slack-scopes.ts'

const MAX_README_BYTES = 10_240
/** Calls added since need not be named. */
const CONTRACT_CALLS = 6
const MAX_README_LINES = 190
const PICTURES = '.github/screenshots'

interface Page {
  readonly path: string
  readonly text: string
  /** Without what is made from the code. */
  readonly byHand: string
}

const pages: readonly Page[] = PAGES.map(readPage)
const readme = readPage('README.md')
const all = pages.map(({ text }) => text).join('\n')
const byHand = pages.map((page) => page.byHand).join('\n')
const bot = `@${manifest().features.bot_user.display_name}`
const scripts = z.object({ scripts: z.record(z.string(), z.string()) }).parse(readJson('package.json')).scripts

/** The zones that the examples talk of. */
const zones: readonly NamedZone[] = [{ kind: 'pull', name: 'shop', zoneId: '301' }]

describe('the README', () => {
  it('is short enough to be read', () => {
    expect(Buffer.byteLength(readme.text)).toBeLessThanOrEqual(MAX_README_BYTES)
    expect(readme.text.split('\n').length).toBeLessThanOrEqual(MAX_README_LINES)
  })

  it('names the calls by which one knows the CDN, each as it is made, and its header', () => {
    const named = new Set([...readme.byHand.matchAll(/`((?:GET|POST|PUT) \/[^`]+)`/g)].map(([, call = '']) => call))
    const calls = Object.values(endpoints).map(
      ({ method, path }) => `${method} ${path.replaceAll(/\{\w*id\}/gi, '{id}')}`,
    )
    expect(named.size).toBeGreaterThanOrEqual(CONTRACT_CALLS)
    expect(calls).toEqual(expect.arrayContaining([...named]))
    expect(readme.byHand).toContain('`AccessKey`')
  })

  it('leads to every page of the documentation', () => {
    const linked = new Set([...readme.byHand.matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link))
    expect(PAGES.filter((path) => path !== 'README.md' && !linked.has(path))).toEqual([])
  })

  it('has examples of all five operations of the platform, and of alerts', () => {
    const typed = examples(readme.byHand).join('\n')
    for (const name of ['storage stats', 'keys list', 'library create', 'dns add', 'logs', 'alerts watch'])
      expect(typed).toContain(name)
  })

  it('starts a container that comes back by itself, with store and health page where the image has them', () => {
    const [, run = ''] = /^ *docker run ((?:.*\\\n)*.*)$/m.exec(readme.byHand) ?? []
    const option = (name: string): string | undefined => new RegExp(`--${name} (\\S+)`).exec(run)?.[1]
    const image = (name: string): string | undefined => dockerfile().findLast((each) => each.name === name)?.text
    expect(option('restart')).toBe('unless-stopped')
    expect(readme.byHand).toContain(`# ${option('env-file')}\n`)
    expect(option('volume')).toMatch(new RegExp(`^[\\w-]+:${image('VOLUME')}$`))
    expect(option('publish')).toBe(`127.0.0.1:${image('EXPOSE')}:${image('EXPOSE')}`)
  })

  it('starts the bot without a container from the same file of settings', () => {
    expect(readme.byHand).toContain('`ENV_FILE=cdn-ops.env npm start`')
  })

  it('begins going live with the Slack CLI, whose hooks are there', () => {
    const [, cli, hand] = readme.byHand.split(/^### /m)
    expect([cli, hand].map((chapter) => chapter?.split('\n')[0])).toEqual(['With the Slack CLI', 'By hand'])
    expect(cli).toMatch(/`slack login`[\s\S]*`slack run`[\s\S]*demonstration/)
    expect(existsSync('.slack/hooks.json')).toBe(true)
  })

  it('has an icon for the app, in the size that Slack asks for', () => {
    const icon = readFileSync('.github/icon.png')
    expect(icon.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
    expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([512, 512])
    expect(readme.byHand).toContain('](.github/icon.png)')
  })

  it('calls the bot what the manifest calls it', () => {
    const mentioned = byHand.match(/@cdn[\w-]*/g)
    expect(readme.byHand).toContain(`/invite ${bot}`)
    expect(new Set(mentioned)).toEqual(new Set([bot]))
  })
})

describe('the README and the documentation', () => {
  it.each(PAGES)('have the tables that the code makes (npm run docs): %s', async (path) => {
    const { text } = readPage(path)
    expect(await withTables(text)).toBe(text)
  })

  it('have every table in one place', async () => {
    const placed = [...all.matchAll(PART)].map(([, , name = '']) => name)
    expect(placed.toSorted()).toEqual(Object.keys(await docsTables()).toSorted())
  })

  it('name every setting, and nothing that is none', () => {
    const secret = SECRET_SETTINGS.map((name) => `${name}_FILE`)
    // grep's, in the table of the bench.
    const foreign = ['LC_ALL']
    const known = new Set([...Object.keys(Settings.shape), ...secret, ...foreign])
    const named = new Set(all.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\b(?:ADMINS|OPERATORS|VIEWERS|COMMAND|PORT)\b/g))
    expect([...named].filter((name) => !known.has(name))).toEqual([])
    expect(Object.keys(Settings.shape).filter((name) => !named.has(name))).toEqual([])
  })

  it.each(settingsSamples())('have a sample of settings that the bot takes: %s', (_, sample) => {
    const lines = sample.trim().replaceAll('…', 'x'.repeat(16)).split('\n')
    const variables = Object.fromEntries(lines.map((line) => line.trim().split(/=(.*)/).slice(0, 2)))
    const contents: Record<string, string> = { 'slack-bot-token': 'xoxb-1', 'slack-app-token': 'xapp-1' }
    const readFile = (path: string): string => contents[path.replace('secrets/', '')] ?? 'k'.repeat(20)
    const settings = readSettings({ variables, readFile })
    expect([settings.ADMINS.size, settings.OPERATORS.size]).toEqual([1, 2])
    expect(settings.VIEWERS).toEqual(new Set())
    expect(settings.AUDIT_KEY).toBeDefined()
  })

  it.each(examples(byHand))('type what the bot understands: %s', (example) => {
    const text = example.replace(/^(?:\/cdn|@[\w-]+) ?/, '').replace('@on-call', 'S0123456789') // as Slack would send it
    const parse = parseCommand(text, OPERATIONS, zones)
    if (text === '') return expect(parse.kind).toBe('empty')
    if (parse.kind !== 'operation') throw new Error(`${example}: ${JSON.stringify(parse)}`)
    expect(parse.problems).toEqual([])
    const read = parse.operation.parse(parse.values, checkContext({ zones }))
    const wrong = read.ok ? [] : read.issues.filter(({ missing }) => missing !== true)
    expect(wrong).toEqual([])
    // What is incomplete opens a form, so there has to be one.
    expect(read.ok || parse.operation.form !== undefined).toBe(true)
  })

  it('name only scripts that are there', () => {
    const run = [...byHand.matchAll(/\bnpm (run )?(?:--silent )?([a-z][a-z:-]*)/g)]
    const own = new Set(['ci', 'start', 'test'])
    const missing = run.filter(([, word, name = '']) => (word === undefined ? !own.has(name) : !(name in scripts)))
    expect(missing.map(([text]) => text)).toEqual([])
    expect(run.length).toBeGreaterThan(8)
  })

  it('name only files that are there', () => {
    const named = [...byHand.matchAll(/(?<![\w/.])((?:src|test|\.github)\/[\w./-]*[\w/]|manifest\.yml)/g)]
    expect(named.map(([, path = '']) => path).filter((path) => !existsSync(path))).toEqual([])
  })

  it.each([...PAGES, 'src/README.md', '.github/CONTRIBUTING.md'])(
    'link to pages and chapters that are there: %s',
    (path) => {
      const links = [...readFileSync(path, 'utf8').matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
      const broken = links.filter((link) => {
        const [file = '', anchor] = link.split('#')
        const target = file === '' ? path : join(dirname(path), file)
        if (link.startsWith('https:')) return false
        return !existsSync(target) || (anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).has(anchor))
      })
      expect(broken).toEqual([])
    },
  )

  it('say of each picture in words what it shows, and show all there are', () => {
    const shown = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, alt = '', link = '']) => ({
        alt,
        file: join(dirname(path), link),
      })),
    )
    expect(shown.filter(({ alt, file }) => alt.length < 20 || !existsSync(file))).toEqual([])
    const files = new Set(shown.map(({ file }) => file))
    expect(readdirSync(PICTURES).filter((name) => !files.has(join(PICTURES, name)))).toEqual([])
  })

  it('name only metrics that are counted', async () => {
    const counted = new Set((await new Metrics().registry.getMetricsAsJSON()).map(({ name }) => name))
    const named = all.match(/\bcdn_ops_\w+/g) ?? []
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !counted.has(name))).toEqual([])
  })

  it('quote only what the program says', () => {
    const code = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(join('src', path), 'utf8'))
      .join('\n')
    const quoted = [...byHand.matchAll(/“([^”]+)”/g)].map(([, words = '']) => words)
    const logged = [...byHand.matchAll(/(?:says|`\/readyz`:|^\|) `([^`/]+ [^`]+)`/gm)].map(([, words = '']) => words)
    expect(quoted.length).toBeGreaterThan(4)
    expect(logged.length).toBeGreaterThan(5)
    expect([...quoted, ...logged].filter((words) => !code.includes(words))).toEqual([])
  })

  it('name no host but Slack’s own page and examples', () => {
    const hosts = [...byHand.matchAll(/https?:\/\/([^\s/>)"`]+)/g)].map(([, host = '']) => host)
    expect(
      hosts.filter((host) => !/^(api\.slack\.com|docs\.slack\.dev|[\w.-]+\.example(\.net|\.com)?)$/.test(host)),
    ).toEqual([])
  })
})

function readPage(path: string): Page {
  const text = readFileSync(path, 'utf8')
  return { path, text, byHand: text.replaceAll(PART, '') }
}

/** Every command and mention that is written out, on a line of its own or quoted in a sentence. */
function examples(text: string): readonly string[] {
  const inBlocks = [...text.matchAll(/^ *```\w*\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = '']) =>
    block.split('\n').filter((line) => line.startsWith('/cdn')),
  )
  const inText = [...text.matchAll(/`((?:\/cdn|@cdn-ops)\b[^`]*)`/g)].map(([, command = '']) => command)
  return [...new Set([...inBlocks, ...inText].map((command) => command.trim()))].filter((command) => command !== bot)
}

/** Files of settings that are written out, with the page each is on. */
function settingsSamples(): readonly (readonly [page: string, sample: string])[] {
  return pages.flatMap(({ path, text }) =>
    [...text.matchAll(/# cdn-ops\.env\n([\s\S]*?)```/g)].map(([, sample = '']) => [path, sample] as const),
  )
}

/** The anchors of a page’s headings, as GitHub makes them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}
