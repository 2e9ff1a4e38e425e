import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import * as z from 'zod'

/** One instruction of the Dockerfile, its continued lines joined. */
export interface Instruction {
  readonly name: string
  readonly text: string
}

/** What a container would be started with. */
export interface Image {
  /** Folder that stands for the root of the last stage. */
  readonly root: string
  readonly workdir: string
  readonly environment: Readonly<Record<string, string>>
  readonly command: readonly string[]
  readonly healthcheck: readonly string[]
}

export function dockerfile(): readonly Instruction[] {
  return readFileSync('Dockerfile', 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ name: line.split(' ', 1)[0] ?? '', text: line.slice(line.indexOf(' ') + 1).trim() }))
}

/** Whether a path of the checkout is sent to the engine: the last matching line of .dockerignore decides. */
export function isInContext(path: string): boolean {
  const parents = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))
  let ignored = false
  for (const line of readFileSync('.dockerignore', 'utf8').split('\n')) {
    const pattern = line.trim()
    if (pattern === '' || pattern.startsWith('#')) continue
    const negated = pattern.startsWith('!')
    const glob = negated ? pattern.slice(1) : pattern
    if (parents.some((parent) => globPattern(glob).test(parent))) ignored = !negated
  }
  return !ignored
}

/** As the engine reads it: a star takes names with a leading dot too, and stays within a folder. */
function globPattern(glob: string): RegExp {
  const escaped = glob.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
  const parts = escaped.split('**/').map((part) => part.replaceAll('*', '[^/]*').replaceAll('?', '[^/]'))
  return new RegExp(`^${parts.join('(?:.*/)?')}$`)
}

/**
 * Takes the steps of the Dockerfile without an engine: every stage is a folder, COPY copies what the context holds, and
 * npm is run. Commands on the system's own folders are left out.
 */
export function buildImage(folder: string): Image {
  const stages = new Map<string, string>()
  let root = folder
  let workdir = '/'
  let environment: Record<string, string> = {}
  const exec: Record<string, readonly string[]> = {}
  for (const { name, text } of dockerfile()) {
    if (name === 'FROM') {
      const stage = / AS (\w+)$/.exec(text)?.[1] ?? 'last'
      root = join(folder, stage)
      stages.set(stage, root)
      environment = {}
    } else if (name === 'WORKDIR') mkdirSync(join(root, (workdir = text)), { recursive: true })
    else if (name === 'ENV')
      Object.assign(environment, Object.fromEntries(text.split(' ').map((pair) => pair.split('='))))
    else if (name === 'COPY') copy(text, join(root, workdir), stages)
    else if (name === 'RUN' && text.startsWith('npm ')) runNpm(text, join(root, workdir))
    else if (name === 'CMD' || name === 'HEALTHCHECK') exec[name] = execForm(text)
  }
  return { root, workdir, environment, command: exec['CMD'] ?? [], healthcheck: exec['HEALTHCHECK'] ?? [] }
}

function copy(text: string, workdir: string, stages: ReadonlyMap<string, string>): void {
  const from = /^--from=(\w+) /.exec(text)?.[1]
  const names = text.replace(/^--from=\w+ /, '').split(' ')
  const target = names.pop() ?? '.'
  for (const name of names) {
    const source = from === undefined ? name : join(stages.get(from) ?? '', name)
    const isFile = target.endsWith('/')
    const to = join(workdir, isFile ? join(target, posix.basename(name)) : target)
    mkdirSync(dirname(to), { recursive: true })
    const wanted = (path: string): boolean => from !== undefined || path === source || isInContext(relative('.', path))
    if (from === undefined && !isInContext(name)) throw new Error(`COPY ${name}: not in the context`)
    cpSync(source, to, { recursive: true, filter: wanted, verbatimSymlinks: true })
  }
}

/** As on another machine: where npm gets packages from is taken along, what it is to install of them is not. */
function runNpm(text: string, cwd: string): void {
  const [program = '', ...args] = text.split(' ')
  const ours = /^npm_(package|lifecycle|command|config_(local_prefix|include|omit|only|production|dev))/i
  const inherited = Object.entries(process.env).filter(([name]) => !ours.test(name) && name !== 'NODE_ENV')
  execFileSync(program, args, { cwd, env: Object.fromEntries(inherited), stdio: 'pipe' })
}

function execForm(text: string): readonly string[] {
  return z.array(z.string()).parse(JSON.parse(text.slice(text.indexOf('['))))
}

/** Every file in a folder of an image, relative to it. */
export function filesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}
