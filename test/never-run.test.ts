import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { NEVER_RUN, PARTS, RUN_LATER } from '../src/never-run.ts'
import { scratchFolder } from './bench/scratch-folder.ts'

/** What was reached, and little more. */
const MOST_FILES_OF_PACKAGES = 370

describe('what is never run', () => {
  it.each(Object.entries(NEVER_RUN))('%s asks for, by just these names', (asker, names) => {
    const asked = namesAskedFor(join('node_modules', asker))
    expect(names.filter((name) => !asked.has(name))).toEqual([])
  })

  it('is an empty module for the package that asks, and itself for everybody else', () => {
    const said = told(`
      import { createRequire } from 'node:module'
      import { findImportsWhereTheySay } from './src/own-imports.ts'
      findImportsWhereTheySay()
      const zod = await import('zod')
      const { MockAgent, Agent } = await import('undici')
      const load = createRequire(import.meta.url)
      const itself = load('./node_modules/undici/lib/mock/mock-agent.js')
      console.log(JSON.stringify([Object.keys(zod.locales), typeof MockAgent.prototype, typeof Agent.prototype, typeof itself]))`)
    expect(said).toEqual([[], 'undefined', 'object', 'function'])
  })
})

describe('what is loaded in parts', () => {
  it.each(Object.entries(PARTS))('%s gives all that the program imports from there', async (name, paths) => {
    const entry: Record<string, unknown> = await import(name)
    const folder = dirname(fileURLToPath(import.meta.resolve(name)))
    const parts: Record<string, unknown> = {}
    for (const path of paths) Object.assign(parts, await import(join(folder, path)))
    const imported = valuesImported(filesOf('src', /\.ts$/), name)
    expect(imported.length).toBeGreaterThan(1)
    expect(imported.filter((value) => entry[value] === undefined || parts[value] !== entry[value])).toEqual([])
  })
})

/** A part of a program that notes what is loaded from then on. */
const NOTE_LOADED = `
  const { registerHooks } = await import('node:module')
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })`

const LATER = Object.entries(RUN_LATER).flatMap(([asker, files]) =>
  Object.entries(files).map(([path, classes]) => [asker, path, classes] as const),
)

describe('what is run later', () => {
  it.each(LATER)('%s asks for as %s, and only makes objects of its classes', (asker, path, classes) => {
    const sources = filesOf(join('node_modules', asker, 'dist'), /(?<!index)\.js$/)
    expect(valuesImported(sources, path)).toEqual(classes)
    const uses = sources.flatMap((source) => (source.includes(`'${path}'`) ? usesOf(source, classes) : []))
    expect(uses.filter((use) => !use.startsWith('new '))).toEqual([])
    expect(uses.length).toBeGreaterThan(0)
  })

  it('makes tables in a new store, and is not loaded for one that has them', () => {
    using folder = scratchFolder()
    const opened = (): unknown =>
      told(`
        import { findImportsWhereTheySay } from './src/own-imports.ts'
        findImportsWhereTheySay()
        ${NOTE_LOADED}
        const { openSqlite } = await import('./src/store/sqlite-engine.ts')
        const { systemClock } = await import('./src/shared/clock.ts')
        const engine = await openSqlite(${JSON.stringify(join(folder.path, 'store.sqlite'))}, systemClock, console)
        const rows = await engine.kysely.selectFrom('notices').selectAll().execute()
        await engine.close()
        console.log(JSON.stringify([rows, loaded.some((url) => url.endsWith('/schema/create-table-builder.js'))]))`)
    expect(opened()).toEqual([[], true])
    expect(opened()).toEqual([[], false])
  })
})

describe('a start', () => {
  it('loads no more of packages, and of Node itself, than it needs', () => {
    const [files = [], builtins = []] = told(`
      import { findImportsWhereTheySay } from './src/own-imports.ts'
      findImportsWhereTheySay()
      ${NOTE_LOADED}
      await import('./src/process.ts')
      console.log(JSON.stringify([loaded.filter((url) => url.includes('/node_modules/')), process.moduleLoadList]))`) as string[][]
    expect(files.length).toBeGreaterThan(MOST_FILES_OF_PACKAGES - 50)
    expect(files.length).toBeLessThanOrEqual(MOST_FILES_OF_PACKAGES)
    expect(builtins).toContain('NativeModule net')
    // HTTP/2 alone takes as long as fifty files.
    expect(builtins.filter((name) => /NativeModule (http2|v8|https|inspector)$/.test(name))).toEqual([])
  })
})

/** What a program prints that is run from the folder of the project, read as JSON. */
function told(program: string): unknown {
  const flags = ['--input-type=module', '--eval', program]
  return JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' }))
}

/** The texts of all files in a folder, and in those in it. */
function filesOf(folder: string, names: RegExp): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => names.test(path))
  return paths.map((path) => readFileSync(join(folder, path), 'utf8'))
}

/** Every name in quotes behind a `require` or a `from`, of all files of a package. */
function namesAskedFor(folder: string): ReadonlySet<string> {
  const asked = /(?:\brequire\(|\bfrom )["']([^"']+)["']/g
  const texts = filesOf(folder, /\.[cm]?js$/)
  return new Set(texts.flatMap((text) => [...text.matchAll(asked)].map(([, name = '']) => name)))
}

/** What is imported by a name in all these files, types aside, in order and each once. */
function valuesImported(sources: readonly string[], from: string): readonly string[] {
  const imports = /^import \{([^}]+)\} from '([^']+)'/gm
  const names = sources
    .flatMap((source) => [...source.matchAll(imports)])
    .filter(([, , name]) => name === from)
    .flatMap(([, list = '']) => list.split(',').map((each) => each.trim()))
    .filter((each) => each !== '' && !each.startsWith('type '))
  return [...new Set(names)].toSorted()
}

/** Each use of these names in code, with the word before it; imports and comments aside. */
function usesOf(source: string, names: readonly string[]): readonly string[] {
  const code = source.replaceAll(/\/\*[^]*?\*\/|\/\/.*|^import .*/gm, '')
  return names.flatMap((name) =>
    [...code.matchAll(new RegExp(`(?:\\S+\\s+|[^\\w\\s])${name}\\b`, 'g'))].map(([use]) => use),
  )
}
