import { type ResolveFnOutput, registerHooks } from 'node:module'
import { NEVER_RUN, PARTS, RUN_LATER } from './never-run.ts'

/**
 * Finds what is imported by a path with a name and an ending, as all of this program and of most packages is, where it says. Node
 * would look for links and package files on the way to each of the thousand files that a start loads, which takes a quarter
 * of it. What is not there fails as it is read; what names a package goes Node's way once, what is required always.
 * What is never run is not loaded: there is an empty module instead; nor is what is run later before it is.
 */
export function findImportsWhereTheySay(): void {
  const packages = new Map<string, ResolveFnOutput>()
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const { parentURL, conditions } = context
      if (parentURL === undefined) return nextResolve(specifier, context)
      const isImport = conditions.includes('import')
      if (isNeverRun(specifier, parentURL)) return isImport ? NOTHING_TO_IMPORT : NOTHING_TO_REQUIRE
      if (!isImport) return nextResolve(specifier, context)
      if (PATH.test(specifier)) return where(specifier, parentURL)
      if (!parentURL.startsWith(OURS)) return nextResolve(specifier, context)
      // Every file of ours finds the same packages.
      const found = packages.get(specifier) ?? inParts(specifier, nextResolve(specifier, context))
      packages.set(specifier, found)
      return found
    },
  })
}

const PATH = /^\.\.?\/.*\.(ts|js)$/
const OURS = new URL('.', import.meta.url).href

/** By the name that is asked for, the folder of the package that does. */
const ASKERS: ReadonlyMap<string, string> = new Map(
  Object.entries(NEVER_RUN).flatMap(([asker, names]) => names.map((name) => [name, folderOf(asker)])),
)

function isNeverRun(specifier: string, parentURL: string): boolean {
  const asker = ASKERS.get(specifier)
  return asker !== undefined && parentURL.includes(asker)
}

function folderOf(name: string): string {
  return `/node_modules/${name}/`
}

const NOTHING_TO_IMPORT: ResolveFnOutput = { url: 'data:text/javascript,', format: 'module', shortCircuit: true }
const NOTHING_TO_REQUIRE: ResolveFnOutput = {
  url: new URL('nothing.cjs', import.meta.url).href,
  format: 'commonjs',
  shortCircuit: true,
}

function where(specifier: string, parentURL: string): ResolveFnOutput {
  const url = new URL(specifier, parentURL).href
  const later = LATER.get(specifier)
  if (later !== undefined && parentURL.includes(later.asker)) return module(stubs(url, later.classes))
  return { url, shortCircuit: true, ...(url.endsWith('.ts') && { format: 'module-typescript' }) }
}

/** By the name that is asked for, the folder of the package that does, and what it gets. */
const LATER: ReadonlyMap<string, { readonly asker: string; readonly classes: readonly string[] }> = new Map(
  Object.entries(RUN_LATER).flatMap(([asker, files]) =>
    Object.entries(files).map(([name, classes]) => [name, { asker: folderOf(asker), classes }]),
  ),
)

/** Functions that load the classes of a file when the first of them is made an object of. */
function stubs(url: string, classes: readonly string[]): string {
  const stub = (name: string): string =>
    `export function ${name}(...given) { return new (load(file).${name})(...given) }`
  return [
    `import { createRequire } from 'node:module'`,
    `import { fileURLToPath } from 'node:url'`,
    `const file = fileURLToPath(${JSON.stringify(url)})`,
    'const load = createRequire(file)',
    ...classes.map(stub),
  ].join('\n')
}

/** The entry of a package, or what is loaded instead: parts of it that stand beside it. */
function inParts(specifier: string, entry: ResolveFnOutput): ResolveFnOutput {
  const parts = PARTS[specifier]
  if (parts === undefined) return { ...entry, shortCircuit: true }
  return module(parts.map((path) => `export * from ${JSON.stringify(new URL(path, entry.url).href)}`).join('\n'))
}

function module(code: string): ResolveFnOutput {
  return { url: `data:text/javascript,${encodeURIComponent(code)}`, format: 'module', shortCircuit: true }
}
