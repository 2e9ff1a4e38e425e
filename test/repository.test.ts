import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'

const Versions = z.record(z.string(), z.string())
const manifest = z
  .object({ private: z.literal(true), license: z.string(), dependencies: Versions, devDependencies: Versions })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))
const lockfile = z
  .object({
    packages: z.record(
      z.string(),
      z.object({
        integrity: z.string().optional(),
        resolved: z.string().optional(),
        link: z.boolean().optional(),
        hasInstallScript: z.boolean().optional(),
      }),
    ),
  })
  .parse(JSON.parse(readFileSync('package-lock.json', 'utf8')))
const packages = Object.entries(lockfile.packages)

const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && existsSync(path))
/** Written by other hands: names of packages' authors, and of parts of Slack, are theirs. */
const transcribed = new Set(['package-lock.json', 'test/fixtures/slack-manifest.schema.json'])
const texts = tracked
  .filter((path) => !transcribed.has(path) && statSync(path).size < 1_000_000)
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  .filter(({ text }) => !text.includes('\0'))

/** Paths and words of which `pattern` is found in the text, or in the path itself. */
function findings(pattern: RegExp): readonly string[] {
  return texts.flatMap(({ path, text }) =>
    [...`${path}\n${text}`.matchAll(pattern)].map(([found]) => `${path}: ${found}`),
  )
}

describe('the packages', () => {
  it('are pinned to one version each', () => {
    const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    const loose = all.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version) && version !== 'file:.node')
    expect(loose).toEqual([])
    const own = z
      .object({ optionalDependencies: Versions })
      .parse(JSON.parse(readFileSync('.node/package.json', 'utf8')))
    expect(new Set(Object.values(own.optionalDependencies)).size).toBe(1)
  })

  it('have a checksum in the lockfile, each of them', () => {
    const installed = packages.filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    expect(installed.length).toBeGreaterThan(200)
    expect(installed.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true)).toEqual([])
  })

  it('run no script when they are installed', () => {
    expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([])
    expect(readFileSync('.npmrc', 'utf8')).toContain('strict-allow-scripts=true')
  })

  it('come from whatever registry npm is set up with', () => {
    expect(packages.filter(([, { resolved }]) => resolved?.includes('://') === true)).toEqual([])
    expect(readFileSync('.npmrc', 'utf8')).not.toContain('registry=')
  })

  it('have every platform of a tool in the lockfile, once one is there', () => {
    const names = new Set(packages.map(([path]) => path.replace(/^.*node_modules\//, '')))
    const siblings = [...names].filter((name) => name.endsWith('-linux-x64-gnu'))
    expect(siblings.length).toBeGreaterThan(0)
    const lacking = siblings
      .flatMap((name) => ['-linux-arm64-gnu', '-darwin-arm64'].map((end) => name.replace('-linux-x64-gnu', end)))
      .filter((name) => !names.has(name))
    expect(lacking).toEqual([])
  })
})

describe('the repository', () => {
  it('has nothing at its top that is not named in the design', () => {
    const allowed = ['Dockerfile', 'LICENSE', 'README.md', 'manifest.yml', 'package-lock.json', 'package.json']
    const top = new Set(tracked.map((path) => path.split('/')[0] ?? path))
    const visible = [...top].filter((name) => !name.startsWith('.')).toSorted()
    expect(visible).toEqual([...allowed, 'src', 'test', 'tsconfig.json'])
  })

  it('is under the MIT license', () => {
    expect(readFileSync('LICENSE', 'utf8')).toMatch(/^MIT License/)
    expect(manifest.license).toBe('MIT')
  })

  it('tracks no store, no log, no environment and no key', () => {
    const secret = /(^|\/)\.env|\.(sqlite|db|log|pem|key|p12)(-\w+)?$|(^|\/)(\.data|node_modules|coverage)\//
    expect(tracked.filter((path) => secret.test(path))).toEqual([])
  })

  it('ignores the settings and secrets that people are told to make in a checkout', () => {
    const made = ['cdn-ops.env', 'secrets/audit-key']
    const ignored = execFileSync('git', ['check-ignore', '--no-index', ...made], { encoding: 'utf8' })
    expect(ignored.trim().split('\n')).toEqual(made)
  })

  it('holds no token that could be a real one', () => {
    const real = /\bxox[abpr]-\d{6,}-[\w-]{10,}|\bxapp-\d-A[A-Z0-9]{8,}-\d{6,}-|-----BEGIN [A-Z ]*PRIVATE/g
    expect(findings(real)).toEqual([])
  })

  it('knows no machine that it was written on', () => {
    const places = words('wo~rk ro~ot ho~me Us~ers')
    expect(findings(new RegExp(`(?<![\\w.~/-])/(${places})/[\\w.-]+`, 'g'))).toEqual([])
  })

  it('knows no vendor of a CDN by name: it is the platform', () => {
    const vendors = words('bun~ny b-~cdn cloud~flare cloud~front fas~tly aka~mai cdn~77')
    expect(findings(new RegExp(`\\b(${vendors})`, 'gi'))).toEqual([])
  })

  it('speaks of itself alone', () => {
    const makers = words('cla~ude anth~ropic chat~gpt open~ai co~pilot')
    expect(findings(new RegExp(`\\b(${makers})\\b`, 'gi'))).toEqual([])
  })
})

/** Alternatives of a pattern, written with a tilde inside so that this file does not hold what it looks for. */
function words(text: string): string {
  return text.replaceAll('~', '').replaceAll(' ', '|')
}
