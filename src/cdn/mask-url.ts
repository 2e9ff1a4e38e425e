const MASK = '…'

/**
 * An address with everything taken out that may let its reader act as somebody else: values of the query and of
 * `name=value` parts of the path, bare query words, the fragment, and a name and password before the host.
 *
 * Linear in the address's length, since a day file may bring millions of them, each as long as a client cared to make it.
 */
export function maskUrl(url: string): string {
  // Most have nothing of that kind, which one look tells.
  if (!hasSomethingToMask(url)) return url
  const hash = url.indexOf('#')
  const end = hash < 0 ? url.length : hash
  const mark = url.indexOf('?')
  const pathEnd = mark < 0 || mark > end ? end : mark
  const path = maskPath(maskUserInfo(url.slice(0, pathEnd)))
  const query = pathEnd < end ? maskQuery(url.slice(pathEnd + 1, end)) : ''
  return `${path}${query}${hash < 0 ? '' : `#${MASK}`}`
}

/** Whether one of the characters is in it that stand before, or behind, whatever is masked. */
function hasSomethingToMask(url: string): boolean {
  for (let at = 0; at < url.length; at += 1) {
    const unit = url.charCodeAt(at)
    if (unit <= AT && (unit === AT || unit === QUESTION_MARK || unit === EQUALS || unit === HASH)) return true
  }
  return false
}

const HASH = 0x23
const EQUALS = 0x3d
const QUESTION_MARK = 0x3f
const AT = 0x40

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
  if (!address.includes('@')) return address
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

/** Joined at the end: a text that grows by thousands of pieces keeps each of them, ten times the memory of the whole. */
function maskQuery(query: string): string {
  const masked: string[] = []
  let equals = -1
  for (let at = 0; ;) {
    const next = query.indexOf('&', at)
    const end = next < 0 ? query.length : next
    // Looked for anew only behind the last one: otherwise each part without any would cost as much as all behind it.
    if (equals < at) equals = placeOf('=', query, at)
    masked.push(end === at ? '' : equals < end ? `${query.slice(at, equals)}=${MASK}` : MASK)
    if (next < 0) return `?${masked.join('&')}`
    at = next + 1
  }
}

function maskValue(part: string): string {
  const [name, value] = splitOnce(part, '=')
  return value === undefined ? name : `${name}=${MASK}`
}

/** Where it stands next; the end where it does not. */
function placeOf(character: string, text: string, from: number): number {
  const at = text.indexOf(character, from)
  return at < 0 ? text.length : at
}

function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)]
}
