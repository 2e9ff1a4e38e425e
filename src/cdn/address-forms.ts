import { isIPv4, isIPv6 } from 'node:net'

const NETWORK_GROUPS = 4
const ALL_GROUPS = 8

/**
 * How a log may write a client address: whole, or without what tells the client from its network, which is the last
 * part of an IPv4 address (/24) and the last half of an IPv6 one (/64). In lower case, however the address is spelled.
 */
export function addressForms(address: string): ReadonlySet<string> {
  const whole = address.toLowerCase()
  if (isIPv4(whole)) return new Set([whole, whole.replace(/\d+$/, '0')])
  const shortest = isIPv6(whole) ? shortestForm(whole) : undefined
  if (shortest === undefined) return new Set([whole])
  const network = `${groupsOf(shortest).slice(0, NETWORK_GROUPS).join(':')}::`
  return new Set([whole, shortest, network, shortestForm(network) ?? network])
}

/** One address has many spellings and one shortest; undefined for an address with the name of an interface in it. */
function shortestForm(address: string): string | undefined {
  const url = `http://[${address}]/`
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : undefined
}

/** The eight groups of an address, those that `::` stands for written out. */
function groupsOf(address: string): readonly string[] {
  const [left = [], right = []] = address.split('::').map((side) => side.split(':').filter((group) => group !== ''))
  return [...left, ...Array.from({ length: ALL_GROUPS - left.length - right.length }, () => '0'), ...right]
}
