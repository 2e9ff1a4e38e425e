import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const ROOT = new URL('../..', import.meta.url).pathname
const LEFT_OUT = new Set(['node_modules', '.git', 'coverage'])

/** A few words of the program that a copy has otherwise. */
export interface Replacement {
  /** From the top of the repository. */
  readonly file: string
  /** Stands in the file exactly once. */
  readonly from: string
  readonly to: string
}

/** A copy of the repository in a folder of its own. */
export interface ProgramCopy extends AsyncDisposable {
  readonly folder: string
  /** Its `main.ts`. */
  readonly main: string
}

/** Copies program and tests and changes them. Throws when the words to be replaced do not stand there once each. */
export async function copyProgram(replacements: readonly Replacement[]): Promise<ProgramCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'cdn-ops-copy-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    await cp(ROOT, folder, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) })
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    for (const replacement of replacements) await replace(folder, replacement)
    return { folder, main: join(folder, 'src', 'main.ts'), [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function replace(folder: string, { file, from, to }: Replacement): Promise<void> {
  const path = join(folder, file)
  const parts = (await readFile(path, 'utf8')).split(from)
  if (parts.length !== 2) throw new Error(`“${from}” is ${parts.length - 1} times in ${file}, not once`)
  await writeFile(path, parts.join(to))
}
