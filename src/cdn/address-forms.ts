import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

const NETWORK_GROUPS = 4

/**
 * How a log may write a client address: whole, or without what tells the client from its network, which is the last
 * part of an IPv4 address (/24) and the last half of an IPv6 one (/64). In lower case, however the address is spelled.
 */
export function addressForms(address: string): ReadonlySet<string> {
  const whole = address.toLowerCase()
  if (isIPv4(whole)) return new Set([whole, whole.replace(/\d+$/, '0')])
  // An address with the name of an interface in it is never that of a client.
  if (!isIPv6(whole) || whole.includes('%')) return new Set([whole])
  const parsed = ipaddr.IPv6.parse(whole)
  const groups = parsed.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16))
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${whole}/64`)
  return new Set([whole, parsed.toString(), `${groups.join(':')}::`, network.toString()])
}
