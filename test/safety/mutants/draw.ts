import { seededRandom } from '../../../src/playground/cdn/world/seeded-random.ts'
import type { SourceFile } from '../../support/source-imports.ts'

/** What people run is the bot; the emulators around it are for trying it out. */
const LEFT_OUT = /^playground\//
/** Words and signs that a mutant is made of, as the formatter spaces them. */
const MUTABLE =
  /&&|\|\||\?\?|[!=]==| (?:[<>]=?|[-+*/%]=?|\?) |!\w|\?\.|\b(?:true|false|if|while)\b|\.(?:min|max|some|every|filter|slice|trim|startsWith|endsWith)\(/
const NO_CODE = /^\s*(?:\/?\*|\/\/|import |export type |type |interface )/

/** A line of the program, from the top of the repository, in which something can be made wrong. */
export interface Line {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
}

/** So many lines of the program without the playground, each as likely as any other, none twice. The same for a seed. */
export function drawnLines(files: readonly SourceFile[], seed: string, count: number): readonly Line[] {
  const random = seededRandom(`${seed}/mutants`)
  return files
    .filter(({ path }) => !LEFT_OUT.test(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((code, index) => (isMutable(code) ? [{ file: `src/${path}`, line: index + 1 }] : [])),
    )
    .map((line) => ({ line, place: random.next() }))
    .toSorted((one, other) => one.place - other.place)
    .slice(0, count)
    .map(({ line }) => line)
}

/** One of those that have the same name, each as likely as any other. The same for a seed. */
export function drawnOfEach<T>(nameOf: (each: T) => string, all: readonly T[], seed: string): readonly T[] {
  const random = seededRandom(`${seed}/of-each`)
  return [...Map.groupBy(all, nameOf).values()].map((alike) => random.pick(alike))
}

function isMutable(code: string): boolean {
  return MUTABLE.test(code) && !NO_CODE.test(code)
}
