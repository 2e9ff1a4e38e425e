import { isIPv4 } from 'node:net'
import type { PullZone } from './world/pull-zone.ts'

/** A client address as a pull zone's log keeps it: whole, without its last part (/24 or /64), or none of it. */
export function blurAddress(address: string, anonymisation: PullZone['anonymisation']): string {
  if (anonymisation === 'none') return address
  if (isIPv4(address)) return anonymisation === 'full' ? '0.0.0.0' : address.replace(/\d+$/, '0')
  return anonymisation === 'full' ? '::' : `${networkOf(address)}::`
}

/** Whether a stored address fits the one asked for. Where nothing of addresses is kept, every one fits. */
export function addressMatches(asked: string, address: string, anonymisation: PullZone['anonymisation']): boolean {
  if (anonymisation === 'full') return true
  return blurAddress(address, anonymisation) === blurAddress(asked.toLowerCase(), anonymisation)
}

/** The first four groups of an IPv6 address, with `::` written out. */
function networkOf(address: string): string {
  const [left = '', right = ''] = address.split('::')
  const before = left.split(':').filter((group) => group !== '')
  const after = right.split(':').filter((group) => group !== '')
  const zeros = address.includes('::') ? Array.from({ length: 8 - before.length - after.length }, () => '0') : []
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
