import { BlockList, isIPv4, isIPv6 } from 'node:net'

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
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

function spellingProblem(text: string, url: URL): string | undefined {
  const [, host] = PLAIN.exec(text) ?? []
  if (host === undefined || text.includes('\\')) return NO_ADDRESS
  if (WAY_ROUND.test(text)) return 'holds . or .. as a part of its path: take it out'
  // 127.1 is this machine however it is written; any other address of four numbers is written in full.
  const differs = host.toLowerCase() !== url.hostname && !isIPv6(host.slice(1, -1))
  if (differs && !LOOPBACK.test(url.hostname)) return `leads to ${url.hostname}: write it so`
  return undefined
}

function hostProblem({ protocol, hostname }: URL): string | undefined {
  if (LOOPBACK.test(hostname)) return undefined
  if (protocol === 'http:') return 'is http, which is taken only for this machine itself: use https'
  const address = hostname.replace(/^\[|\]$/g, '')
  const reserved =
    (isIPv4(address) && NOBODY.check(address, 'ipv4')) ||
    (isIPv6(address) && (address.startsWith(INSIDE_SIX) || NOBODY.check(address, 'ipv6')))
  return reserved ? 'leads to an address at which no platform can be' : undefined
}

/**
 * Addresses that a machine has for itself and its neighbours on the wire, among them those at which hosts of machines
 * hand out credentials, and those of nobody in particular. Private networks are none of them: a platform may be there.
 */
const NOBODY = new BlockList()
/** An address of four numbers in the form of one of eight: whoever means it writes it as it is. */
const INSIDE_SIX = '::ffff:'
NOBODY.addSubnet('0.0.0.0', 8, 'ipv4')
NOBODY.addSubnet('169.254.0.0', 16, 'ipv4')
NOBODY.addAddress('100.100.100.200', 'ipv4')
NOBODY.addAddress('168.63.129.16', 'ipv4')
NOBODY.addSubnet('192.0.0.0', 24, 'ipv4')
NOBODY.addSubnet('224.0.0.0', 3, 'ipv4')
NOBODY.addAddress('::', 'ipv6')
NOBODY.addSubnet('64:ff9b::', 96, 'ipv6')
NOBODY.addSubnet('2002::', 16, 'ipv6')
NOBODY.addSubnet('fe80::', 10, 'ipv6')
NOBODY.addSubnet('ff00::', 8, 'ipv6')
NOBODY.addAddress('fd00:ec2::254', 'ipv6')
