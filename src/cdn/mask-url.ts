const MASK = '…'

/**
 * An address with everything taken out that may let its reader act as somebody else: values of the query and of
 * `name=value` parts of the path, bare query words, the fragment, and a name and password before the host.
 *
 * Linear in the address's length, since a day file may bring millions of them, each as long as a client cared to make it.
 */
export function maskUrl(url: string): string {
  // Most have nothing of that kind, which one look tells.
  if (!MASKED_BEHIND.test(url)) return url
  const [beforeFragment, fragment] = splitOnce(url, '#')
  const [address, query] = splitOnce(beforeFragment, '?')
  const maskedQuery = query === undefined ? '' : `?${query.split('&').map(maskQueryPart).join('&')}`
  return `${maskPath(maskUserInfo(address))}${maskedQuery}${fragment === undefined ? '' : `#${MASK}`}`
}

/** What stands before, or after, whatever is masked. */
const MASKED_BEHIND = /[?#=@]/

/** Text with addresses in it, such as what a client calls itself: each of them is masked, the words around them stay. */
export function maskUrlsIn(text: string): string {
  if (!text.includes('//')) return text
  return text
    .split(BETWEEN_ADDRESSES)
    .map((part) => (part.includes('//') ? maskUrl(part) : part))
    .join('')
}

/** What ends an address in running text. Captured, so that splitting there loses nothing. */
const BETWEEN_ADDRESSES = /([\s()<>"',;]+)/

function maskUserInfo(address: string): string {
  const start = address.indexOf('//') + 2
  if (start === 1 || address.indexOf('/') < start - 2) return address
  const slash = address.indexOf('/', start)
  const authority = address.slice(start, slash < 0 ? address.length : slash)
  const at = authority.lastIndexOf('@')
  return at < 0 ? address : `${address.slice(0, start)}${MASK}${address.slice(start + at)}`
}

function maskPath(path: string): string {
  if (!path.includes('=')) return path
  // The separators are captured, so that they are parts of their own and come back unchanged.
  return path
    .split(/([/;&])/)
    .map(maskValue)
    .join('')
}

function maskQueryPart(part: string): string {
  return part === '' || part.includes('=') ? maskValue(part) : MASK
}

function maskValue(part: string): string {
  const [name, value] = splitOnce(part, '=')
  return value === undefined ? name : `${name}=${MASK}`
}

function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)]
}
