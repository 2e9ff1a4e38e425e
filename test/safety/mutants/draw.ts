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
export function drawnLines(
  files: readonly Pick<SourceFile, 'path' | 'text'>[],
  seed: string,
  count: number,
): readonly Line[] {
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

/** One of what is possible on each line, for the first `count` lines that have any. Other lines do not change what is drawn of one. */
export function drawnOfLines<T>(
  lines: readonly Line[],
  possible: (line: Line) => readonly T[],
  { seed, count }: { readonly seed: string; readonly count: number },
): readonly T[] {
  return lines
    .map((line) => ({ line, alike: possible(line) }))
    .filter(({ alike }) => alike.length > 0)
    .slice(0, count)
    .map(({ line, alike }) => seededRandom(`${seed}/${line.file}:${line.line}`).pick(alike))
}

function isMutable(code: string): boolean {
  return MUTABLE.test(code) && !NO_CODE.test(code)
}
