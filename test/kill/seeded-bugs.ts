import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Rule, Violation } from './judge.ts'

const ROOT = new URL('../..', import.meta.url).pathname

interface Bug {
  /** As what it has to be found: any other complaint would be by chance. */
  readonly foundAs: Rule
  readonly replacements: readonly Replacement[]
}

interface Replacement {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** Mistakes that the harness has to find, each made by a few words in a copy of the program. */
const BUGS = {
  /** What a dead process was sending is sent again. */
  'retry-on-recovery': {
    foundAs: 'sent twice',
    replacements: [
      {
        file: 'store/change-sweep.ts',
        from: "this.#sweep('unknown', now, step,",
        to: "this.#sweep('approved', now, step,",
      },
    ],
  },
  /** The entry that it is about to be sent comes after the call. */
  'no-write-ahead': {
    foundAs: 'sent without record',
    replacements: [
      {
        file: 'execution/change-sender.ts',
        from: 'sending = await this.#startSending(change, now)',
        to: 'sending = change',
      },
      {
        file: 'execution/change-sender.ts',
        from: 'performed = await call',
        to: `performed = await call
      sending = await this.#startSending(change, now)`,
      },
    ],
  },
  /** A request without an answer is sent once more. */
  'http-retry': {
    foundAs: 'sent twice',
    replacements: [
      {
        file: 'cdn/transport.ts',
        from: 'const sending = request(url, {',
        to: 'const send = () => request(url, {',
      },
      {
        file: 'cdn/transport.ts',
        from: 'await unlessAborted(sending, signal)',
        to: 'await unlessAborted(send().catch(send), signal)',
      },
    ],
  },
} as const satisfies Readonly<Record<string, Bug>>

export type BugName = keyof typeof BUGS
export const BUG_NAMES = Object.keys(BUGS) as readonly BugName[] // the keys of the table above

/** Whether the harness has found this bug, and not merely something. */
export function isFound(name: BugName, violations: readonly Violation[]): boolean {
  return violations.some(({ rule }) => rule === BUGS[name].foundAs)
}

/** A copy of the program with a bug in it. */
export interface BuggyCopy {
  /** Its `main.ts`. */
  readonly main: string
  readonly remove: () => Promise<void>
}

/** Throws when the words to be replaced are not there any more, once each: then the bug has to be written anew. */
export async function plantBug(name: BugName): Promise<BuggyCopy> {
  const folder = await mkdtemp(join(tmpdir(), `cdn-ops-${name}-`))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    await cp(join(ROOT, 'src'), join(folder, 'src'), { recursive: true })
    await cp(join(ROOT, 'package.json'), join(folder, 'package.json'))
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    for (const replacement of BUGS[name].replacements) await replace(join(folder, 'src', replacement.file), replacement)
    return { main: join(folder, 'src', 'main.ts'), remove }
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
