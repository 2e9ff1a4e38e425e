import { isIPv4, isIPv6 } from 'node:net'
import type { DnsRecordTypeName } from '../../cdn/enums.ts'
import { unreachable } from '../../shared/errors.ts'
import { isHostName, type Normalised, normaliseHost, normaliseHostOrDot } from './host-name.ts'
import { normaliseService, normaliseTlsa } from './composed-value.ts'
import { unquoted } from './quoted-text.ts'

/**
 * The value of a record as the platform takes it, by type: dots at the end and the quotes of zone files go, numbers are
 * written plainly, and what has the wrong form is refused. Quotes and dots are changed only where they are notation.
 */
export function normaliseValue(type: DnsRecordTypeName, given: string, tag: string | undefined): Normalised {
  const typed = given.trim()
  switch (type) {
    case 'A':
      return isIPv4(typed) ? asTyped(typed) : refused('The value of an A record is an IPv4 address such as 192.0.2.10.')
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
