import { isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import { hidesSomething } from '../../shared/untrusted.ts'
import type { DnsRecordTypeName } from '../../cdn/contract/enums.ts'
import { unreachable } from '../../shared/errors.ts'

/** What became of typed text on its way into a request: what is sent and what was changed, or the rule it breaks. */
export type Normalised =
  | { readonly ok: true; readonly sent: string; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problem: string }

const MAX_NAME_LENGTH = 253
const BYTE_MAX = 255
const LABEL = /^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/

/**
 * A host name as the platform takes it: without a dot at the end, and in ASCII. `subject` begins the sentences:
 * "The mail server".
 */
export function normaliseHost(typed: string, subject: string): Normalised {
  const rule = `${subject} must be a host name such as target.example.net.`
  return normaliseName(typed, subject, rule, (ascii) => isHostName(ascii) && !isIPv4(ascii))
}

function wordWrongIpv4(typed: string): string {
  const part = typed.split('.').find((each) => /^\d{1,9}$/.test(each) && Number(each) > BYTE_MAX)
  return part === undefined
    ? 'The value of an A record is an IPv4 address such as 192.0.2.10.'
    : `${part} is more than ${BYTE_MAX}, the most that a part of an IPv4 address can be.`
}

/** Like `normaliseHost`, but a dot alone stands for "none" or "itself" and is sent as it is. */
export function normaliseHostOrDot(typed: string, subject: string): Normalised {
  return typed === '.' ? asTyped(typed) : normaliseHost(typed, subject)
}

/**
 * The name of a record, relative to its zone. `@` is how people write the zone itself; the platform wants an empty
 * name for it. A star may stand for the first part.
 */
export function normaliseRecordName(typed: string): Normalised {
  if (typed === '@') return { ok: true, sent: '', notes: [] }
  const rule =
    'The name is relative to the zone: letters, digits, - and _ in parts of at most 63 characters with dots ' +
    'between, * as the first part, or @ for the zone itself.'
  return normaliseName(typed, 'The name', rule, (ascii) => ascii === '*' || isHostName(ascii.replace(/^\*\./, '')))
}

export function isHostName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && text.split('.').every((label) => LABEL.test(label))
}

/** A name without a dot at its end and in ASCII, if it is right then; else `rule` is what it breaks. */
function normaliseName(typed: string, subject: string, rule: string, isRight: (ascii: string) => boolean): Normalised {
  if (hidesSomething(typed)) return { ok: false, problem: `${subject} holds characters that cannot be seen.` }
  const text = typed.replace(/\.$/, '')
  const ascii = inAscii(text)
  if (ascii === undefined || !isRight(ascii)) return refused(rule)
  const notes = [
    ...(text === typed ? [] : [`The dot at the end of ${typed} is left out.`]),
    ...(ascii === text ? [] : [`${text} is sent in its ASCII form ${ascii}.`]),
  ]
  return { ok: true, sent: ascii, notes }
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

/**
 * The value of a record as the platform takes it, by type: dots at the end and the quotes of zone files go, numbers are
 * written plainly, and what has the wrong form is refused. Quotes and dots are changed only where they are notation.
 */
export function normaliseValue(type: DnsRecordTypeName, given: string, tag: string | undefined): Normalised {
  const typed = given.trim()
  switch (type) {
    case 'A':
      return isIPv4(typed) ? asTyped(typed) : refused(wordWrongIpv4(typed))
    case 'AAAA':
      return isIPv6(typed) && !typed.includes('%')
        ? asTyped(typed)
        : refused('The value of an AAAA record is an IPv6 address such as 2001:db8::10.')
    case 'CNAME':
    case 'Flatten':
    case 'PTR':
    case 'NS':
      return normaliseHost(typed, `The value of ${type === 'NS' ? 'an' : 'a'} ${type} record`)
    case 'MX':
      return normaliseHostOrDot(typed, 'The mail server')
    case 'SRV':
      return normaliseHostOrDot(typed, 'The target of an SRV record')
    case 'TXT':
      return text(given)
    case 'Redirect':
      return isWebUrl(typed)
        ? asTyped(typed)
        : refused('A Redirect record needs a whole URL that begins with https:// or http://.')
    case 'CAA':
      return authority(typed, tag)
    case 'SVCB':
    case 'HTTPS':
      return normaliseService(typed)
    case 'TLSA':
      return normaliseTlsa(typed)
    case 'PullZone':
    case 'Script':
      return asTyped(typed)
    default:
      return unreachable(type)
  }
}

const SPACE_LEFT_OUT = 'The white space around the text is left out. Put the text in quotes to keep it.'

function text(given: string): Normalised {
  const bare = unquoted(given.trim())
  if (!bare.ok) return bare
  if (bare.sent === '') return refused('The text of a TXT record cannot be empty.')
  // Around quotes it is notation, and in them it stays.
  return bare.notes.length > 0 || bare.sent === given ? bare : { ...bare, notes: [SPACE_LEFT_OUT] }
}

function authority(typed: string, tag: string | undefined): Normalised {
  const bare = unquoted(typed)
  if (!bare.ok) return bare
  if (tag === 'iodef') {
    return isWebUrl(bare.sent) || /^mailto:[^\s@]+@[^\s@]+$/i.test(bare.sent)
      ? bare
      : refused('With the tag iodef the value is the URL to report to: mailto:, https:// or http://.')
  }
  // Parameters may follow the domain after a semicolon; a semicolon alone means that nobody may issue.
  const domain = (bare.sent.split(';')[0] ?? '').trim()
  const nobody = domain === '' && bare.sent.startsWith(';')
  return nobody || isHostName(domain)
    ? bare
    : refused('The value of a CAA record is the domain of an authority, or ; for none.')
}

function isWebUrl(typed: string): boolean {
  return !/\s/.test(typed) && URL.canParse(typed) && /^https?:\/\//i.test(typed)
}

function asTyped(sent: string): Normalised {
  return { ok: true, sent, notes: [] }
}

function refused(problem: string): Normalised {
  return { ok: false, problem }
}

const PARAMETER = /^[a-z0-9-]{1,63}(=.*)?$/s
const CLOSED = /^(?:"(?:[^"\\]|\\.)*"|[^"])*$/s
const PARTS = /(?:"(?:[^"\\]|\\.)*"|[^\s"])+/gs

/** The value of an SVCB or HTTPS record: the target, then parameters, in one text. */
function normaliseService(typed: string): Normalised {
  // What is not closed would be looked for behind each quote.
  const [target, ...parameters] = (CLOSED.test(typed) && typed.match(PARTS)) || []
  if (target === undefined)
    return refused('The value is a target and its parameters, such as . alpn=h2,h3; quotes must be closed.')
  const wrong = parameters.find((parameter) => !PARAMETER.test(parameter))
  if (wrong !== undefined)
    return refused(`${wrong} is not a parameter: a parameter is written key=value, such as alpn=h2,h3.`)
  const host = normaliseHostOrDot(target, 'The target')
  if (!host.ok) return host
  return { ok: true, sent: [host.sent, ...parameters].join(' '), notes: host.notes }
}

/** Hexadecimal digits of the hash that a matching type asks for: SHA-256 and SHA-512. */
const HASH_DIGITS: Readonly<Record<number, number>> = { 1: 64, 2: 128 }

/** The value of a TLSA record: usage, selector and matching type as numbers, then data in hexadecimal, in one text. */
function normaliseTlsa(typed: string): Normalised {
  const [usage = '', selector = '', matching = '', ...data] = typed.split(/\s+/)
  const numbers = [usage, selector, matching].map((part) => (/^\d{1,5}$/.test(part) ? Number(part) : Number.NaN))
  const hex = data.join('')
  if (!numbers.every((number) => number <= BYTE_MAX) || !/^([0-9A-Fa-f]{2})+$/.test(hex)) {
    return refused(
      'The value of a TLSA record is usage, selector and matching type, each from 0 to 255, and then an even ' +
        'number of hexadecimal digits.',
    )
  }
  const digits = HASH_DIGITS[numbers[2] ?? Number.NaN]
  if (digits !== undefined && hex.length !== digits)
    return refused(`With matching type ${numbers[2]} the data has ${digits} hexadecimal digits, not ${hex.length}.`)
  const sent = [...numbers, hex].join(' ')
  return { ok: true, sent, notes: sent === typed ? [] : [`The value is written plainly as ${sent}.`] }
}

const QUOTED = /"((?:[^"\\]|\\.)*)"/gs
const ALL_QUOTED = /^"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*$/s

/**
 * Text without the quotes that zone files put around it; several quoted strings are one text. Text that is not quoted
 * as a whole is left alone, quotes inside it included.
 */
export function unquoted(typed: string): Normalised {
  if (!typed.startsWith('"')) return { ok: true, sent: typed, notes: [] }
  if (!ALL_QUOTED.test(typed)) return refused('The value begins with a quote that is not closed at its end.')
  const strings = [...typed.matchAll(QUOTED)].map(([, inner = '']) => inner.replace(/\\(.)/gs, '$1'))
  const note =
    strings.length === 1
      ? 'The quotes around the value are left out: the CDN adds its own.'
      : `The ${strings.length} quoted parts of the value are sent as one text without quotes.`
  return { ok: true, sent: strings.join(''), notes: [note] }
}
