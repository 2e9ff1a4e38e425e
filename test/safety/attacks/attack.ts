import type { Replacement } from '../program-copy.ts'

/** A test that shows a defence at work. */
export interface Proof {
  /** From the top of the repository. */
  readonly file: string
  /** The name of the test, or as much of it as no other has, as it is written in the file. */
  readonly test: string
  /** Of a test with many cases whose names are made, the words that the name of one of them has. */
  readonly only?: string
  /** What, taken out of the program, makes this test fail: the seeded bug. Empty where the test is only named. */
  readonly bugs: readonly Replacement[]
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
  readonly attack: string
  readonly proofs: readonly Proof[]
}

export function attack(id: string, words: string, ...proofs: readonly Proof[]): Attack {
  return { id, attack: words, proofs }
}

export function proof(file: string, test: string, ...bugs: readonly Replacement[]): Proof {
  return { file, test, bugs }
}

/** In `file`, `from` stands exactly once, and with `to` in its place the program is without the defence. */
export function bug(file: string, from: string, to: string): Replacement {
  return { file, from, to }
}
