import type { Replacement } from '../program-copy.ts'

/** A test that shows a defence at work. */
export interface Proof {
  /** From the top of the repository. */
  readonly file: string
  /** The name of the test, or as much of it as no other has, as it is written in the file. */
  readonly test: string
  /** Of a test with many cases, the words that the name of one of them has. */
  readonly only?: string
  /** What, taken out of the program, makes this test fail: the seeded bug. */
  readonly without?: Replacement | readonly Replacement[]
  /** What the failed test has to say then, where any other complaint would be by chance. */
  readonly says?: RegExp
  /** Variables of the environment that the test is run with. */
  readonly env?: Readonly<Record<string, string>>
}

/** Something that somebody could do to the bot or to its people, or a mistake that somebody could make in it one day. */
export interface Attack {
  /**
   * X: text of strangers, A: who may do what, S: the door to Slack, K: secrets, N: the platform and its log, C: mistakes in
   * how changes are sent.
   */
  readonly id: string
  /** P0 has a seeded bug, which `npm run test:safety -- attacks` plays. */
  readonly priority: 'P0' | 'P1'
  readonly attack: string
  readonly proofs: readonly [Proof, ...Proof[]]
}

/** What has to be replaced in a copy of the program to be without the defence. */
export function replacementsOf({ without = [] }: Proof): readonly Replacement[] {
  return 'file' in without ? [without] : without
}
