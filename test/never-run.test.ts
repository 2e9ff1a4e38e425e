import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NEVER_RUN } from '../src/never-run.ts'

describe('what is never run', () => {
  it.each(Object.entries(NEVER_RUN))('%s asks for, by just these names', (asker, names) => {
    const asked = namesAskedFor(join('node_modules', asker))
    expect(names.filter((name) => !asked.has(name))).toEqual([])
  })

  it('is an empty module for the package that asks, and itself for everybody else', () => {
    const program = `
      import { createRequire } from 'node:module'
      import { findImportsWhereTheySay } from './src/own-imports.ts'
      findImportsWhereTheySay()
      const zod = await import('zod')
      const { MockAgent, Agent } = await import('undici')
      const load = createRequire(import.meta.url)
      const itself = load('./node_modules/undici/lib/mock/mock-agent.js')
      console.log(JSON.stringify([Object.keys(zod.locales), typeof MockAgent.prototype, typeof Agent.prototype, typeof itself]))`
    const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
    expect(JSON.parse(said)).toEqual([[], 'undefined', 'object', 'function'])
  })
})

/** Every name in quotes behind a `require` or a `from`, of all files of a package. */
function namesAskedFor(folder: string): ReadonlySet<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.[cm]?js$/.test(path))
  const asked = /(?:\brequire\(|\bfrom )["']([^"']+)["']/g
  return new Set(
    files.flatMap((path) => [...readFileSync(join(folder, path), 'utf8').matchAll(asked)].map(([, name = '']) => name)),
  )
}
