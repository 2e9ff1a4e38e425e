import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml'
import { visible } from '../shared/untrusted.ts'

/** Larger than any configuration that people write by hand. */
export const MAX_CONFIG_BYTES = 262_144
/** After the first mistakes the others are often their consequence. */
const MAX_SYNTAX_ERRORS = 3
const MAX_QUOTED = 120

/** The way from the top of the file to a value: names and positions. */
export type Path = readonly PropertyKey[]

/** What a text in YAML says, with the line of each value; or what is wrong with it, as sentences. */
export type ReadText =
  | { readonly ok: true; readonly value: unknown; readonly lineOf: (path: Path) => number }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Reads one document of YAML 1.2. An empty text is refused, since it may be one half written. */
export function readConfigText(text: string): ReadText {
  if (Buffer.byteLength(text) > MAX_CONFIG_BYTES)
    return wrong(`The file is larger than ${MAX_CONFIG_BYTES / 1_024} KiB.`)
  if (text.includes('\u{FFFD}')) return wrong('The file is not in UTF-8.')
  const lineCounter = new LineCounter()
  // With a log level of silence, the library would leave out a second document without a word.
  const options = { schema: 'core', stringKeys: true, prettyErrors: false, logLevel: 'error' } as const
  const document = parseDocument(text, { ...options, lineCounter })
  const mistakes = [...document.errors, ...document.warnings].slice(0, MAX_SYNTAX_ERRORS)
  if (mistakes.length > 0) {
    const told = mistakes.map(({ code, message, pos }) => {
      const { line, col } = lineCounter.linePos(pos[0])
      return `Line ${line}, column ${col}: ${OWN_WORDS[code] ?? quoted(message)}.`
    })
    return wrong(...told)
  }
  if (document.contents === null) return wrong('The file holds nothing. For no rules at all, write {}.')
  const lineOf = (path: Path): number => {
    const around = document.getIn(path.slice(0, -1), true)
    const name = path.at(-1)
    const pair = isMap(around) ? around.items.find(({ key }) => isScalar(key) && key.value === name) : undefined
    const node = pair?.key ?? document.getIn(path, true)
    if (isNode(node) && node.range) return lineCounter.linePos(node.range[0]).line
    // What is not there stands where it is missed.
    return path.length === 0 ? 1 : lineOf(path.slice(0, -1))
  }
  try {
    return { ok: true, value: document.toJS(), lineOf }
  } catch (error) {
    // An alias of nothing, or of too much.
    return wrong(`${quoted(error instanceof Error ? error.message : 'It cannot be read')}.`)
  }
}

/** Where the library speaks to programmers. */
const OWN_WORDS: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'A second document begins here: keep one',
  NON_STRING_KEY: 'What stands before a colon has to be text',
  RESOURCE_EXHAUSTION: 'It is nested too deeply',
}

function wrong(...problems: readonly string[]): ReadText {
  return { ok: false, problems }
}

/** Text from the file, fit to stand in a sentence. */
export function quoted(text: string): string {
  return visible(text.replaceAll(/\s+/g, ' ').replace(/\.$/, ''), MAX_QUOTED)
}
