import { readFileSync } from 'node:fs'
import * as z from 'zod'

const Names = z.record(z.string(), z.unknown()).default({})
const Packages = z.record(
  z.string(),
  z.object({
    license: z.string().optional(),
    dev: z.boolean().default(false),
    link: z.boolean().default(false),
    hasInstallScript: z.boolean().default(false),
    dependencies: Names,
    optionalDependencies: Names,
    peerDependencies: Names,
  }),
)

/** A package that an installation for production has. */
export interface ProductionPackage {
  /** Where it lies: `node_modules/pino`. */
  readonly path: string
  readonly license: string | undefined
  readonly hasInstallScript: boolean
}

const lockfile = z.object({ packages: Packages }).parse(JSON.parse(readFileSync('package-lock.json', 'utf8'))).packages

/** What `npm ci --omit=dev` installs, as the lockfile says. */
export function productionPackages(): readonly ProductionPackage[] {
  return Object.entries(lockfile)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
    .map(([path, { license, hasInstallScript }]) => ({ path, license, hasInstallScript }))
}

/** A package that the program names itself, with all that comes because of it. Several may bring the same. */
export function broughtBy(name: string): ReadonlySet<string> {
  const found = new Set<string>()
  const follow = (wanted: string, from: string): void => {
    const path = resolved(wanted, from)
    if (path === undefined || found.has(path)) return
    found.add(path)
    const { dependencies, optionalDependencies, peerDependencies } = lockfile[path] ?? {}
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      follow(next, path)
  }
  follow(name, '')
  return found
}

/** Where Node finds a package from a folder: the nearest one up the tree. */
function resolved(name: string, from: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (lockfile[path] !== undefined) return lockfile[path].dev ? undefined : path
    if (at === '') return undefined
  }
}
