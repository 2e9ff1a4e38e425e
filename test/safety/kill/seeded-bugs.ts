import { copyProgram, type ProgramCopy, type Replacement } from '../program-copy.ts'
import type { Rule, Violation } from './judge.ts'

interface Bug {
  /** As what it has to be found: any other complaint would be by chance. */
  readonly foundAs: Rule
  readonly replacements: readonly Replacement[]
}

/** Mistakes that the harness has to find, each made by a few words in a copy of the program. */
export const BUGS = {
  /** What a dead process was sending is sent again. */
  'retry-on-recovery': {
    foundAs: 'sent twice',
    replacements: [
      {
        file: 'src/store/change-sweep.ts',
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
        file: 'src/execution/change-sender.ts',
        from: 'sending = await this.#startSending(change, now)',
        to: 'sending = change',
      },
      {
        file: 'src/execution/change-sender.ts',
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
        file: 'src/cdn/transport.ts',
        from: 'const sending = request(url, {',
        to: 'const send = () => request(url, {',
      },
      {
        file: 'src/cdn/transport.ts',
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
export async function plantBug(name: BugName): Promise<ProgramCopy> {
  return copyProgram(BUGS[name].replacements)
}
