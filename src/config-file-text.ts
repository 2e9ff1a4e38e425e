import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type ParsedNode } from 'yaml'
import { visible } from './shared/untrusted.ts'

/** Larger than any configuration that people write by hand. */
export const MAX_CONFIG_BYTES = 262_144
/** Deeper than anything a configuration holds. */
const MAX_DEPTH = 12
/** After the first mistakes the others are often their consequence. */
const MAX_SYNTAX_ERRORS = 3
const MAX_QUOTED = 120

/** The way from the top of the file to a value: names and positions. */
export type Path = readonly PropertyKey[]

/** What a text in YAML says, with the line of each value; or what is wrong with it, as sentences. */
export type ReadText =
  | { readonly ok: true; readonly value: unknown; readonly lineOf: (path: Path) => number }
  | { readonly ok: false; readonly problems: readonly string[] }

/**
 * Reads YAML 1.2 as plain data: maps with names, lists, text and numbers. What could make it mean more than it shows is
 * refused: aliases, tags, directives, several documents. An empty text is refused too, since it may be one half written.
 */
export function readConfigText(text: string): ReadText {
  const unfit = unfitFor(text)
  if (unfit !== undefined) return { ok: false, problems: [unfit] }
  const counter = new LineCounter()
  const lineAt = (offset = 0): number => Math.max(1, counter.linePos(offset).line)
  // With a log level of silence, a second document would be left out without a word. The library's own search for names
  // that are there twice takes seconds for a long map.
  const options = { version: '1.2', schema: 'core', uniqueKeys: false, prettyErrors: false, logLevel: 'error' } as const
  const document = parseDocument(text, { ...options, lineCounter: counter })
  const wrong = [...document.errors, ...document.warnings].slice(0, MAX_SYNTAX_ERRORS)
  if (wrong.length > 0) {
    const told = wrong.map(({ code, message, pos }) => {
      return `Line ${lineAt(pos[0])} ${OWN_WORDS[code] ?? `is not right: ${quoted(message)}`}.`
    })
    return { ok: false, problems: [...new Set(told)] }
  }
  if (document.contents === null)
    return { ok: false, problems: ['The file holds nothing. For no rules at all, write {}.'] }
  const walk = new Walk(lineAt)
  const value = walk.plain(document.contents, [])
  if (walk.problems.length > 0) return { ok: false, problems: walk.problems.slice(0, MAX_SYNTAX_ERRORS) }
  return { ok: true, value, lineOf: (path) => walk.lineOf(path) }
}

const TOO_DEEP = 'is nested too deeply'

/** Where the library speaks to programmers. */
const OWN_WORDS: Readonly<Record<string, string>> = {
  RESOURCE_EXHAUSTION: TOO_DEEP,
  MULTIPLE_DOCS: 'begins a second document: keep one',
}

/** Text from the file, fit to stand in a sentence. */
export function quoted(text: string): string {
  return visible(text.replaceAll(/\s+/g, ' ').replace(/\.$/, ''), MAX_QUOTED)
}

function unfitFor(text: string): string | undefined {
  if (Buffer.byteLength(text) > MAX_CONFIG_BYTES) return `The file is larger than ${MAX_CONFIG_BYTES / 1_024} KiB.`
  if (text.includes('\u{FFFD}')) return 'The file is not in UTF-8.'
  return /^%/m.test(text) ? 'A line begins with %, as directives of YAML do: take it out.' : undefined
}

/** From the parser's nodes to plain data. Finds what is refused, and remembers where each value stands. */
class Walk {
  readonly problems: string[] = []
  readonly #lineAt: (offset?: number) => number
  readonly #lines = new Map<string, number>()

  constructor(lineAt: (offset?: number) => number) {
    this.#lineAt = lineAt
  }

  plain(node: ParsedNode | null, path: Path, line = this.#lineAt(node?.range[0])): unknown {
    this.#lines.set(keyOf(path), line)
    if (node === null) return null
    if (isAlias(node)) return this.#refuse(line, `is the alias *${quoted(node.source)}: write the value out`)
    if (node.tag !== undefined) return this.#refuse(line, `has the tag ${quoted(node.tag)}: take it out`)
    if (path.length > MAX_DEPTH) return this.#refuse(line, TOO_DEEP)
    if (isScalar(node)) return node.value
    if (isSeq(node)) return node.items.map((item, index) => this.plain(item, [...path, index]))
    return isMap(node) ? this.#object(node.items, path) : null
  }

  lineOf(path: Path): number {
    const line = this.#lines.get(keyOf(path))
    return line !== undefined || path.length === 0 ? (line ?? 1) : this.lineOf(path.slice(0, -1))
  }

  #object(
    pairs: readonly { key: ParsedNode; value: ParsedNode | null }[],
    path: Path,
  ): Readonly<Record<string, unknown>> {
    const entries = new Map<string, unknown>()
    for (const { key, value } of pairs) {
      const line = this.#lineAt(key.range[0])
      if (!isScalar(key) || key.tag !== undefined || typeof key.value !== 'string') {
        this.#refuse(line, 'has something else than a plain name before its colon')
      } else if (entries.has(key.value)) {
        this.#refuse(line, `has ${quoted(key.value)} for the second time in one map`)
      } else entries.set(key.value, this.plain(value, [...path, key.value], line))
    }
    return Object.fromEntries(entries)
  }

  #refuse(line: number, told: string): null {
    this.problems.push(`Line ${line} ${told}.`)
    return null
  }
}

function keyOf(path: Path): string {
  return JSON.stringify(path.map(String))
}
