import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = new URL('../..', import.meta.url).pathname

/** A few words of the program that a copy has otherwise. */
export interface Replacement {
  /** Under `src`. */
  readonly file: string
  readonly from: string
  readonly to: string
}

/** A copy of the program in a folder of its own. */
export interface ProgramCopy {
  readonly folder: string
  /** Its `main.ts`. */
  readonly main: string
  readonly remove: () => Promise<void>
}

/** Copies the program and changes it. Throws when the words to be replaced are not there any more, once each. */
export async function copyProgram(replacements: readonly Replacement[]): Promise<ProgramCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'cdn-ops-copy-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    await cp(join(ROOT, 'src'), join(folder, 'src'), { recursive: true })
    for (const file of ['package.json', 'manifest.yml']) await cp(join(ROOT, file), join(folder, file))
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    for (const replacement of replacements) await replace(join(folder, 'src', replacement.file), replacement)
    return { folder, main: join(folder, 'src', 'main.ts'), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function replace(path: string, { file, from, to }: Replacement): Promise<void> {
  const text = await readFile(path, 'utf8')
  const parts = text.split(from)
  if (parts.length !== 2) throw new Error(`“${from}” is ${parts.length - 1} times in ${file}, not once`)
  await writeFile(path, parts.join(to))
}
