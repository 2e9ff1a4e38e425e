import { describe, expect, it } from 'vitest'
import { importedNames, type SourceFile, sourceFiles } from './support/source-imports.ts'

/** Lower floors first. A file may import from its own folder and from floors below; never sideways, never up. */
const FLOORS: readonly (readonly string[])[] = [
  ['shared'],
  ['cdn', 'store', 'block-kit'],
  ['delivery'],
  ['alerts'],
  ['operations'],
  ['execution'],
  ['slack'],
  ['config'],
  ['process'],
  ['app.ts'],
  ['start.ts', 'playground'],
  ['main.ts'],
]

/** Who may import a package. What is not named here may not be imported at all; Node's own modules may, unless named. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  '@slack/bolt': /^slack\//,
  bottleneck: /^cdn\//,
  'csv-stringify': /^operations\//,
  'fastest-levenshtein': /^(operations|slack)\//,
  'ipaddr.js': /^(cdn|config|playground)\//,
  kysely: /^store\//,
  'node:child_process': /^$/,
  'node:http': /^(process\/health\.ts$|slack\/gateway\/http-|playground\/)/,
  'node:https': /^$/,
  'node:process': /^$/,
  'node:sqlite': /^store\//,
  'node:timers': /^shared\/clock\.ts$/,
  'parse-duration': /^shared\//,
  pg: /^store\//,
  pino: /^shared\//,
  'prom-client': /^process\//,
  undici: /^(cdn\/|process\/outside-calls\.ts$)/,
  yaml: /^(playground|config)\//,
  ws: /^playground\//,
  zod: /^/,
}

const MAX_LINES = 400
const MAX_FILES = 20
const files = sourceFiles('src')
const everyFile = [
  ...files.map((file) => ({ ...file, path: `src/${file.path}` })),
  ...sourceFiles('test').map((file) => ({ ...file, path: `test/${file.path}` })),
]
const placeOf = (path: string): string => path.split('/')[0] ?? path
const floorOf = (path: string): number => FLOORS.findIndex((places) => places.includes(placeOf(path)))
/** The folder of a file; a file directly in src is a room of its own. */
const roomOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : path)
const arrows = (path: string, targets: readonly string[]): readonly string[] => targets.map((to) => `${path} → ${to}`)
const pathsWhere = (among: readonly SourceFile[], wrong: (file: SourceFile) => boolean): readonly string[] =>
  among.filter(wrong).map(({ path }) => path)

describe('the house', () => {
  it('has a floor for every file, and no floor without one', () => {
    expect(pathsWhere(files, ({ path }) => floorOf(path) < 0)).toEqual([])
    const places = new Set(files.map(({ path }) => placeOf(path)))
    expect(FLOORS.flat().filter((place) => !places.has(place))).toEqual([])
  })

  it('imports downwards only', () => {
    const mayImport = (from: string, to: string): boolean =>
      placeOf(to) === placeOf(from) || floorOf(to) < floorOf(from)
    const wrong = files.flatMap(({ path, imports }) =>
      arrows(
        path,
        imports.filter((to) => !mayImport(path, to)),
      ),
    )
    expect(wrong).toEqual([])
  })

  it('has no cycle, types included', () => {
    expect(cycleIn(new Map(files.map(({ path, imports }) => [path, imports])))).toBeUndefined()
  })

  it('has no cycle among its rooms: a room is below or above another', () => {
    const rooms = new Map<string, string[]>()
    for (const { path, imports } of files) {
      const others = imports.map(roomOf).filter((room) => room !== roomOf(path))
      rooms.set(roomOf(path), [...(rooms.get(roomOf(path)) ?? []), ...others])
    }
    expect(cycleIn(rooms)).toBeUndefined()
  })

  it(`has at most ${MAX_FILES} files in a room`, () => {
    const rooms = Map.groupBy(files, ({ path }) => roomOf(path))
    expect([...rooms].filter(([, { length }]) => length > MAX_FILES).map(([room]) => room)).toEqual([])
  })

  it('finds every file that is imported', () => {
    const known = new Set(files.map(({ path }) => path))
    expect(
      files.flatMap(({ path, imports }) =>
        arrows(
          path,
          imports.filter((to) => !known.has(to)),
        ),
      ),
    ).toEqual([])
  })

  it('keeps each package behind the folder that owns it', () => {
    const mayImport = (path: string, name: string): boolean => PACKAGES[name]?.test(path) ?? name.startsWith('node:')
    const wrong = files.flatMap(({ path, packages }) =>
      arrows(
        path,
        packages.filter((name) => !mayImport(path, name)),
      ),
    )
    expect(wrong).toEqual([])
  })

  it('loads the playground only on request', () => {
    const eager = /^import [^(]*playground/m
    expect(pathsWhere(files, ({ path, code }) => path === 'main.ts' && eager.test(code))).toEqual([])
  })
})

describe('the rooms', () => {
  it(`are small: no file is over ${MAX_LINES} lines`, () => {
    expect(pathsWhere(everyFile, ({ text }) => text.trimEnd().split('\n').length > MAX_LINES)).toEqual([])
  })

  it('say by their name what is in them, in lower case and with hyphens', () => {
    const vague = /(^|\/)(utils?|helpers?|misc|common|types|index)(\/|\.|-)/
    const lists = new Set(['src/operations/index.ts'])
    const odd = ({ path }: SourceFile): boolean => vague.test(path) || !/^[a-z0-9/.-]+$/.test(path)
    expect(pathsWhere(everyFile, odd).filter((path) => !lists.has(path))).toEqual([])
  })

  it('export by name and never on behalf of another file', () => {
    const exempt = 'test/vitest.config.ts' // the tool wants a default export
    const wrong = /^export (default|\*)|^export (type )?\{[^}]*\} from /m
    expect(pathsWhere(everyFile, ({ path, code }) => path !== exempt && wrong.test(code))).toEqual([])
  })

  it('read time, chance and timers from the clock alone', () => {
    const uses = new RegExp(
      [
        /\bDate\.now\(|\bnew Date\(\)|\bDate\(\)|\bperformance\.|\bhrtime\b/,
        /\b(set|clear)(Timeout|Interval|Immediate)\(|\bAbortSignal\.timeout\(/,
        /\bMath\.random\(|\brandom(UUID|Bytes|Int)\(|\bgetRandomValues\(/,
      ]
        .map(({ source }) => source)
        .join('|'),
    )
    expect(pathsWhere(files, ({ path, code }) => path !== 'shared/clock.ts' && uses.test(code))).toEqual([])
  })

  it('leave the process to main.ts, and what starts and ends it', () => {
    expect(
      pathsWhere(files, ({ path, code }) => !/^(main|start|process\/exit)\.ts$/.test(path) && /\bprocess\./.test(code)),
    ).toEqual([])
  })

  it('print nothing past the log', () => {
    expect(pathsWhere(files, ({ code }) => /\bconsole\./.test(code))).toEqual([])
  })

  it('leave nothing for later', () => {
    const words = new RegExp(['TO', 'DO|FIX', 'ME|XX', 'X:|not impl', 'emented'].join(''))
    expect(pathsWhere(everyFile, ({ text }) => words.test(text))).toEqual([])
  })

  it('have tests that neither sleep nor are left out, but where no database server runs', () => {
    // A bench lets time pass, since time is what it measures.
    const exempt = /^test\/(architecture\.test\.ts$|load\/bench\/)/
    const tests = everyFile.filter(({ path }) => path.startsWith('test/') && !exempt.test(path))
    const sleeps =
      /\bsetTimeout\((\(\) => )?(resolve|done|ok)\b|=> (void )?setTimeout\(|\bAtomics\.wait\(|timers\/promises/
    const leftOut = /\b(it|test|describe)\.(only|skip|todo|skipIf|runIf)\b/
    expect(pathsWhere(tests, ({ code }) => sleeps.test(code))).toEqual([])
    expect(pathsWhere(tests, ({ code }) => leftOut.test(code))).toEqual([
      'test/alerts/ended-process.slow.test.ts',
      'test/end-to-end/backup.wire.test.ts',
      'test/end-to-end/stores.ts',
      'test/execution/changes/change-announcer.wire.test.ts',
      'test/operations-page.test.ts',
      'test/safety/replicas/log-slots.slow.test.ts',
      'test/safety/replicas/replicas.slow.test.ts',
      'test/safety/replicas/server-trouble.slow.test.ts',
      'test/store/postgres-cut.wire.test.ts',
      'test/store/postgres.wire.test.ts',
    ])
  })
})

describe('what these tests see', () => {
  it('is every form of import, over several lines, and none in a comment', () => {
    const text = [
      "import { a } from './a.ts'",
      "import type {\n  B,\n} from './b.ts'",
      "export { c } from './c.ts'",
      "import './d.ts'",
      "const e = await import('./e.ts')",
      "// import { f } from './f.ts'",
      "/* import { g } from './g.ts' */",
      "const path = '//' // import('./h.ts')",
    ].join('\n')
    expect(importedNames(text)).toEqual(['./a.ts', './b.ts', './c.ts', './d.ts', './e.ts'])
  })

  it('is a cycle, however long', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', []],
      ['d', ['b']],
    ])
    expect(cycleIn(graph)).toEqual(['b', 'd', 'b'])
    expect(cycleIn(new Map([...graph, ['d', ['c']]]))).toBeUndefined()
  })
})

/** The files of a cycle, the first one again at the end. */
function cycleIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>()
  const find = (path: string, trail: readonly string[]): readonly string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (done.has(path)) return undefined
    for (const to of graph.get(path) ?? []) {
      const cycle = find(to, [...trail, path])
      if (cycle) return cycle
    }
    done.add(path)
    return undefined
  }
  for (const path of graph.keys()) {
    const cycle = find(path, [])
    if (cycle) return cycle
  }
  return undefined
}
