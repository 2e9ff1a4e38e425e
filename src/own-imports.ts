import { registerHooks } from 'node:module'

/**
 * Finds what is imported by a path with a name and an ending, as all of this program and of most packages is, where it says. Node
 * would look for links and package files on the way to each of the thousand files that a start loads, which takes a quarter
 * of it. What is not there fails as it is read; what names a package or is required goes Node's way.
 */
export function findImportsWhereTheySay(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const { parentURL, conditions } = context
      const isPath = PATH.test(specifier) && parentURL !== undefined && conditions.includes('import')
      if (!isPath) return nextResolve(specifier, context)
      const { href } = new URL(specifier, parentURL)
      return { url: href, shortCircuit: true, ...(href.endsWith('.ts') && { format: 'module-typescript' }) }
    },
  })
}

const PATH = /^\.\.?\/.*\.(ts|js)$/
