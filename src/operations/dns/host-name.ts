import { isIPv4 } from 'node:net'
import { domainToASCII } from 'node:url'
import { hidesSomething } from '../../shared/untrusted.ts'

/** What became of typed text on its way into a request: what is sent and what was changed, or the rule it breaks. */
export type Normalised =
  | { readonly ok: true; readonly sent: string; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problem: string }

const MAX_NAME_LENGTH = 253
const LABEL = /^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/

/**
 * A host name as the platform takes it: without a dot at the end, and in ASCII. `subject` begins the sentences:
 * "The mail server".
 */
export function normaliseHost(typed: string, subject: string): Normalised {
  if (hidesSomething(typed)) return { ok: false, problem: `${subject} holds characters that cannot be seen.` }
  const { text, notes } = withoutFinalDot(typed)
  const ascii = inAscii(text)
  if (ascii === undefined || !isHostName(ascii) || isIPv4(ascii)) {
    return { ok: false, problem: `${subject} must be a host name such as target.example.net.` }
  }
  return { ok: true, sent: ascii, notes: [...notes, ...asciiNote(text, ascii)] }
}

/** Like `normaliseHost`, but a dot alone stands for "none" or "itself" and is sent as it is. */
export function normaliseHostOrDot(typed: string, subject: string): Normalised {
  return typed === '.' ? { ok: true, sent: typed, notes: [] } : normaliseHost(typed, subject)
}

/**
 * The name of a record, relative to its zone. `@` is how people write the zone itself; the platform wants an empty
 * name for it. A star may stand for the first part.
 */
export function normaliseRecordName(typed: string): Normalised {
  if (typed === '@')
    return { ok: true, sent: '', notes: ['The name @ is the zone itself, which is sent as an empty name.'] }
  if (hidesSomething(typed)) return { ok: false, problem: 'The name holds characters that cannot be seen.' }
  const { text, notes } = withoutFinalDot(typed)
  const ascii = inAscii(text)
  const rest = ascii?.startsWith('*.') === true ? ascii.slice(2) : ascii
  if (ascii === undefined || rest === undefined || (ascii !== '*' && !isHostName(rest))) {
    return {
      ok: false,
      problem:
        'The name is relative to the zone: letters, digits, - and _ in parts of at most 63 characters with dots ' +
        'between, * as the first part, or @ for the zone itself.',
    }
  }
  return { ok: true, sent: ascii, notes: [...notes, ...asciiNote(text, ascii)] }
}

/** Whether ASCII text is a host name of proper parts, underscores allowed. */
export function isHostName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && text.split('.').every((label) => LABEL.test(label))
}

function withoutFinalDot(typed: string): { readonly text: string; readonly notes: readonly string[] } {
  if (!typed.endsWith('.') || typed === '.') return { text: typed, notes: [] }
  const text = typed.slice(0, -1)
  return { text, notes: [`The dot at the end of ${typed} is left out.`] }
}

/** Only names that need it go through the conversion, which also rewrites plain ones such as `1.2`. */
function inAscii(text: string): string | undefined {
  // eslint-disable-next-line no-control-regex -- the range is that of ASCII
  if (/^[\x00-\x7F]*$/.test(text)) return text
  // The conversion takes text for an address, and drops what in one is no host: path, port, query.
  if (/[^a-z0-9._*\u0080-\u{10FFFF}-]/iu.test(text)) return undefined
  const ascii = domainToASCII(text)
  // Full-width digits would become an address.
  return ascii === '' || isIPv4(ascii) ? undefined : ascii
}

function asciiNote(text: string, ascii: string): readonly string[] {
  return text === ascii ? [] : [`${text} is sent in its ASCII form ${ascii}.`]
}
