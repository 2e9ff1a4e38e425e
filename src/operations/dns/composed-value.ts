import { type Normalised, normaliseHostOrDot } from './host-name.ts'

const PARAMETER = /^[a-z0-9-]{1,63}(=.*)?$/s
/** Every quote is closed. */
const CLOSED = /^(?:"(?:[^"\\]|\\.)*"|[^"])*$/s
/** Parts at white space, except inside quotes. */
const PARTS = /(?:"(?:[^"\\]|\\.)*"|[^\s"])+/gs

/** The value of an SVCB or HTTPS record: the target, then parameters, in one text. */
export function normaliseService(typed: string): Normalised {
  // What is not closed would be looked for behind each quote.
  const [target, ...parameters] = (CLOSED.test(typed) && typed.match(PARTS)) || []
  if (target === undefined) {
    return {
      ok: false,
      problem: 'The value is a target and its parameters, such as . alpn=h2,h3; quotes must be closed.',
    }
  }
  const wrong = parameters.find((parameter) => !PARAMETER.test(parameter))
  if (wrong !== undefined) {
    return { ok: false, problem: `${wrong} is not a parameter: a parameter is written key=value, such as alpn=h2,h3.` }
  }
  const host = normaliseHostOrDot(target, 'The target')
  if (!host.ok) return host
  return { ok: true, sent: [host.sent, ...parameters].join(' '), notes: host.notes }
}

const BYTE_MAX = 255
/** Hexadecimal digits of the hash that a matching type asks for: SHA-256 and SHA-512. */
const HASH_DIGITS: Readonly<Record<number, number>> = { 1: 64, 2: 128 }

/** The value of a TLSA record: usage, selector and matching type as numbers, then data in hexadecimal, in one text. */
export function normaliseTlsa(typed: string): Normalised {
  const [usage = '', selector = '', matching = '', ...data] = typed.split(/\s+/)
  const numbers = [usage, selector, matching].map((part) => (/^\d{1,5}$/.test(part) ? Number(part) : Number.NaN))
  const hex = data.join('')
  if (!numbers.every((number) => number <= BYTE_MAX) || !/^([0-9A-Fa-f]{2})+$/.test(hex)) {
    return {
      ok: false,
      problem:
        'The value of a TLSA record is usage, selector and matching type, each from 0 to 255, and then an even ' +
        'number of hexadecimal digits.',
    }
  }
  const digits = HASH_DIGITS[numbers[2] ?? Number.NaN]
  if (digits !== undefined && hex.length !== digits) {
    return {
      ok: false,
      problem: `With matching type ${numbers[2]} the data has ${digits} hexadecimal digits, not ${hex.length}.`,
    }
  }
  const sent = [...numbers, hex].join(' ')
  return { ok: true, sent, notes: sent === typed ? [] : [`The value is written plainly as ${sent}.`] }
}
