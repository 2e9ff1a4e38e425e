import type { Replacement } from '../program-copy.ts'

/** A test that shows a defence at work. */
export interface Proof {
  /** From the top of the repository. */
  readonly file: string
  /** The name of the test, or as much of it as no other has, as it is written in the file. */
  readonly test: string
  /** Of a test with many cases, the words that the name of one of them has. */
  readonly only?: string
  /** What, taken out of the program, makes this test fail. */
  readonly without?: Replacement
}

/** Something that somebody could do to the bot or to its people. */
export interface Attack {
  /** X: text of strangers, A: who may do what, S: the door to Slack, K: secrets, N: the platform and its log. */
  readonly id: string
  /** P0 has a control, which `npm run test:safety -- attacks` plays. */
  readonly priority: 'P0' | 'P1'
  readonly attack: string
  readonly proofs: readonly [Proof, ...Proof[]]
}
