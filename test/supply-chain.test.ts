import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { broughtBy, type ProductionPackage, productionPackages } from './support/production-packages.ts'

const packages = productionPackages()
const [, section = ''] = readFileSync('.github/docs/security.md', 'utf8').split(
  '## What a production installation holds',
)
const [text = ''] = section.split('\n## ')
const rows = [...text.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | '))
const Manifest = z.object({ license: z.string().optional(), scripts: z.record(z.string(), z.string()).default({}) })
const Dependencies = z.object({ dependencies: z.record(z.string(), z.string()) })

function manifestOf({ path }: ProductionPackage): z.output<typeof Manifest> {
  return Manifest.parse(JSON.parse(readFileSync(`${path}/package.json`, 'utf8')))
}

/** Those that are installed here: packages for other platforms are not. */
const installed = packages.filter(({ path }) => existsSync(path))

describe('an installation for production', () => {
  it('has as many packages as the page says', () => {
    expect(text).toContain(`**${packages.length} packages**, **0** of them with an install script`)
  })

  it('runs no script of any of them', () => {
    expect(packages.filter(({ hasInstallScript }) => hasInstallScript)).toEqual([])
    expect(installed.length).toBeGreaterThan(packages.length - 5)
    const running = installed.filter((each) => {
      const { scripts } = manifestOf(each)
      return ['preinstall', 'install', 'postinstall'].some((name) => name in scripts)
    })
    // npm builds what has this file, whether it has a script or not.
    expect([...running, ...installed.filter(({ path }) => existsSync(`${path}/binding.gyp`))]).toEqual([])
  })

  it('has the licences that the page says, in the lockfile and in the packages themselves', () => {
    const licences = new Map<string, number>()
    for (const { license = 'none' } of packages) licences.set(license, (licences.get(license) ?? 0) + 1)
    const table = rows.flatMap(([name = '', count = '']) => (/^\d+$/.test(count) ? [[name, Number(count)]] : []))
    expect(table.filter(([name]) => !String(name).startsWith('`'))).toEqual(
      [...licences].toSorted(([one, few], [other, many]) => many - few || one.localeCompare(other)),
    )
    expect(installed.filter((each) => manifestOf(each).license !== each.license)).toEqual([])
  })

  it('has each package because of one that the program names', () => {
    const named = Object.keys(Dependencies.parse(JSON.parse(readFileSync('package.json', 'utf8'))).dependencies)
    const table = rows.flatMap(([name = '', count = '']) => (name.startsWith('`') ? [[name, count]] : []))
    expect(table).toEqual(named.map((name) => [`\`${name}\``, String(broughtBy(name).size)]))
    const brought = new Set(named.flatMap((name) => [...broughtBy(name)]))
    expect(packages.map(({ path }) => path).filter((path) => !brought.has(path))).toEqual([])
  })
})
