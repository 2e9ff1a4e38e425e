import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { SECRET_SETTINGS, readSettings, Settings } from '../src/config.ts'
import type { NamedZone } from '../src/operations/field.ts'
import { OPERATIONS } from '../src/operations/index.ts'
import { parseCommand } from '../src/slack/command-text/parse-command.ts'
import { checkContext } from './support/operation-context.ts'
import { withTables } from './support/readme-tables.ts'
import { manifest } from './support/slack-scopes.ts'

const readme = readFileSync('README.md', 'utf8')
const byHand = readme.replaceAll(/<!-- (\w+):start[\s\S]*?\1:end -->/g, '')
const scripts = z.object({ scripts: z.record(z.string(), z.string()) }).parse(readJson('package.json')).scripts

/** The zones the pictures and examples of the README talk of. */
const zones: readonly NamedZone[] = [
  { kind: 'storage', name: 'shop', zoneId: '101' },
  { kind: 'dns', name: 'shop', zoneId: '201' },
  { kind: 'pull', name: 'www', zoneId: '201' },
  { kind: 'pull', name: 'shop-web', zoneId: '301' },
]

describe('the README', () => {
  it('has the tables that the code makes (npm run docs)', async () => {
    expect(await withTables(readme)).toBe(readme)
  })

  it('names every setting, and nothing that is none', () => {
    const secret = SECRET_SETTINGS.map((name) => `${name}_FILE`)
    // The last one is grep's, in the table of the bench.
    const known = new Set([...Object.keys(Settings.shape), ...secret, 'LC_ALL'])
    const named = new Set(
      readme.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\b(?:ADMINS|OPERATORS|VIEWERS|COMMAND|PORT)\b/g),
    )
    expect([...named].filter((name) => !known.has(name))).toEqual([])
    expect(Object.keys(Settings.shape).filter((name) => !named.has(name))).toEqual([])
  })

  it('has an example of settings that the bot takes', () => {
    const [, file = ''] = /# cdn-ops\.env\n([\s\S]*?)```/.exec(readme) ?? []
    const lines = file.trim().split('\n')
    const variables = Object.fromEntries(lines.map((line) => line.trim().split(/=(.*)/).slice(0, 2)))
    const contents: Record<string, string> = { 'slack-bot-token': 'xoxb-1', 'slack-app-token': 'xapp-1' }
    const readFile = (path: string): string => contents[path.replace('/run/secrets/', '')] ?? 'k'.repeat(20)
    const settings = readSettings({ variables, readFile })
    expect(lines.length).toBeGreaterThan(8)
    expect(settings.OPERATORS.size).toBe(2)
    expect(settings.VIEWERS).toBe('everybody')
  })

  it.each(examples())('types what the bot understands: %s', (example) => {
    const text = example.replace(/^\/cdn ?/, '')
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

  it('has examples of all five operations of the platform', () => {
    const typed = examples().join('\n')
    for (const name of ['storage stats', 'keys list', 'library create', 'dns add', 'logs'])
      expect(typed).toContain(name)
  })

  it('names only scripts, files and addresses that are there', () => {
    const run = [...byHand.matchAll(/(?:`|^ *)npm (?:run )?([a-z:]+)/gm)].map(([, name = '']) => name)
    expect(run.filter((name) => !(name in scripts))).toEqual([])
    expect(run.length).toBeGreaterThan(4)

    const linked = [...byHand.matchAll(/\]\(([^)]+)\)|`((?:src|test)\/[\w./-]+)`/g)]
    const missing = linked.map(([, link, code]) => link ?? code ?? '').filter((path) => !existsSync(path))
    expect(missing).toEqual([])

    const hosts = [...byHand.matchAll(/https?:\/\/([^\s/>)"]+)/g)].map(([, host = '']) => host)
    expect(hosts.filter((host) => !/^(api\.slack\.com|[\w.-]+\.example(\.net|\.com)?)$/.test(host))).toEqual([])
  })

  it('calls the bot what the manifest calls it', () => {
    expect(byHand).toContain(`/invite @${manifest().features.bot_user.display_name}`)
  })
})

/** Every command that is written out: whole lines in pictures, or quoted in a sentence. Placeholders are not commands. */
function examples(): readonly string[] {
  const inBlocks = [...byHand.matchAll(/^ *```\w*\n([\s\S]*?)^ *```$/gm)].flatMap(([, block = '']) =>
    block.split('\n').flatMap((line) => /^(?: *[A-Z]\w+(?: \(\w+\))? +)?(\/cdn\b.*)$/.exec(line)?.[1] ?? []),
  )
  const inText = [...byHand.matchAll(/`(\/cdn\b[^`]*)`/g)].map(([, command = '']) => command)
  return [...new Set([...inBlocks, ...inText].map((command) => command.trim()))]
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}
