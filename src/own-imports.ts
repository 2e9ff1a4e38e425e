import { type ResolveFnOutput, registerHooks } from 'node:module'
import { NEVER_RUN } from './never-run.ts'

/**
 * Finds what is imported by a path with a name and an ending, as all of this program and of most packages is, where it says. Node
 * would look for links and package files on the way to each of the thousand files that a start loads, which takes a quarter
 * of it. What is not there fails as it is read; what names a package or is required goes Node's way. What is never run
 * is not loaded: there is an empty module instead.
 */
export function findImportsWhereTheySay(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const { parentURL, conditions } = context
      if (parentURL === undefined) return nextResolve(specifier, context)
      const isImport = conditions.includes('import')
      if (isNeverRun(specifier, parentURL)) return isImport ? NOTHING_TO_IMPORT : NOTHING_TO_REQUIRE
      if (!isImport || !PATH.test(specifier)) return nextResolve(specifier, context)
      const { href } = new URL(specifier, parentURL)
      return { url: href, shortCircuit: true, ...(href.endsWith('.ts') && { format: 'module-typescript' }) }
    },
  })
}

const PATH = /^\.\.?\/.*\.(ts|js)$/

/** By the name that is asked for, the folder of the package that does. */
const ASKERS: ReadonlyMap<string, string> = new Map(
  Object.entries(NEVER_RUN).flatMap(([asker, names]) => names.map((name) => [name, `/node_modules/${asker}/`])),
)

function isNeverRun(specifier: string, parentURL: string): boolean {
  const asker = ASKERS.get(specifier)
  return asker !== undefined && parentURL.includes(asker)
}

const NOTHING_TO_IMPORT: ResolveFnOutput = { url: 'data:text/javascript,', format: 'module', shortCircuit: true }
const NOTHING_TO_REQUIRE: ResolveFnOutput = {
  url: new URL('nothing.cjs', import.meta.url).href,
  format: 'commonjs',
  shortCircuit: true,
}
