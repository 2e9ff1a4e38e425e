import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * What is wrong with an address that a key or secret is to be sent to; undefined when nothing is. It has to be https,
 * or http on this machine only, and to say plainly where it leads: what is written is what is called. Completes the
 * sentence "NAME …" and holds nothing of the address but its host.
 */
export function addressProblem(text: string): string | undefined {
  if (/[^\x21-\x7e]/.test(text)) return 'holds white space, or letters beyond ASCII: write the host in its xn-- form'
  if (!URL.canParse(text)) return NO_ADDRESS
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is not an https address'
  if (url.username !== '' || url.password !== '') return 'holds a user name or password: take it out'
  return spellingProblem(text, url) ?? hostProblem(url)
}

/** The same, where a query or fragment has no place either: an address to which paths are added. */
export function baseAddressProblem(text: string): string | undefined {
  return addressProblem(text) ?? (/[?#]/.test(text) ? 'holds a query or fragment: take it out' : undefined)
}

const NO_ADDRESS = 'is not an address such as https://api.example.com'
/** Scheme, two slashes, host and port, then a path if any. Reading an address makes such of much else. */
const PLAIN = /^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?(?:[/?#]|$)/i
/** A part of the path that leads elsewhere than where it stands. */
const WAY_ROUND = /\/(?:\.|%2e){1,2}(?:[/?#]|$)/i

function spellingProblem(text: string, url: URL): string | undefined {
  const [, host] = PLAIN.exec(text) ?? []
  if (host === undefined || text.includes('\\')) return NO_ADDRESS
  if (WAY_ROUND.test(text)) return 'holds . or .. as a part of its path: take it out'
  // 127.1 is this machine however it is written; any other address of four numbers is written in full.
  const differs = host.toLowerCase() !== url.hostname && !isIPv6(host.slice(1, -1))
  if (differs && !isLoopback(url.hostname)) return `leads to ${url.hostname}: write it so`
  return undefined
}

function hostProblem({ protocol, hostname }: URL): string | undefined {
  const range = rangeOf(hostname)
  if (isLoopback(hostname)) return undefined
  if (protocol === 'http:') return 'is http, which is taken only for this machine itself: use https'
  const isPossible = range === undefined || (POSSIBLE.has(range) && !CREDENTIALS.has(bare(hostname)))
  return isPossible ? undefined : 'leads to an address at which no platform can be'
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || rangeOf(hostname) === 'loopback'
}

/** What an address is for; undefined for a name. */
function rangeOf(hostname: string): string | undefined {
  const address = bare(hostname)
  return ipaddr.isValid(address) ? ipaddr.parse(address).range() : undefined
}

function bare(hostname: string): string {
  return hostname.replaceAll(/^\[|\]$/g, '')
}

/**
 * A platform may be in a private network too. It is never among the addresses that a machine has for itself and its neighbours
 * on the wire, that stand for others, or that are nobody's.
 */
const POSSIBLE: ReadonlySet<string> = new Set(['unicast', 'private', 'carrierGradeNat', 'uniqueLocal'])
/** At these, hosts of machines hand out credentials. */
const CREDENTIALS: ReadonlySet<string> = new Set(['100.100.100.200', '168.63.129.16', 'fd00:ec2::254'])
