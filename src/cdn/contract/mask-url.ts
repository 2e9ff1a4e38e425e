const MASK = '…'

/**
 * An address with everything taken out that may let its reader act as somebody else: values of the query and of
 * `name=value` parts of the path, bare query words, the fragment, and a name and password before a host, also of an address
 * in the path, and where separators are percent-encoded, however often.
 *
 * Linear in the address's length, since a day file may bring millions of them, each as long as a client cared to make it.
 */
export function maskUrl(url: string): string {
  const hash = url.indexOf('#')
  const end = hash < 0 ? url.length : hash
  const mark = url.indexOf('?')
  const pathEnd = mark < 0 || mark > end ? end : mark
  const path = maskPath(url.slice(0, pathEnd))
  const query = pathEnd < end ? maskQuery(url.slice(pathEnd + 1, end)) : ''
  return `${path}${query}${hash < 0 ? '' : `#${MASK}`}`
}

/** What stands before, or behind, whatever is masked. */
const HIDING = /[?#=@%]/

/** Text with addresses in it, such as what a client calls itself: each of them is masked, the words around them stay. */
export function maskUrlsIn(text: string): string {
  if (!HIDING.test(text)) return text
  return text
    .split(BETWEEN_ADDRESSES)
    .map((part) => (SLASHES.test(part) ? maskUrl(part) : maskUserInfo(part)))
    .join('')
}

/** What ends an address in running text. Captured, so that splitting there loses nothing. */
const BETWEEN_ADDRESSES = /([\s()<>"',;]+)/

/** What stands before an `@`: a name and a password anywhere, anything where an address is certain to begin. */
function maskUserInfo(path: string): string {
  if (!USER_END.test(path)) return path
  const pieces = path.split(SLASH)
  return pieces
    .map((piece, index) => {
      const [, user = '', end] = USER.exec(piece) ?? []
      const isHost = pieces[index - 2] === '' && (index === 4 || SCHEME_END.test(pieces[index - 4] ?? ''))
      return end !== undefined && (isHost || COLON.test(user)) ? `${MASK}${piece.slice(user.length)}` : piece
    })
    .join('')
}

const USER_END = /@|%(?:25)*40/
const USER = /^(.*)(@|%(?:25)*40)/s
const COLON = /:|%(?:25)*3a/i
const SCHEME_END = /(?::|%(?:25)*3a)$/i
/** Captured, as all separators are, so that they are parts of their own and come back unchanged. */
const SLASH = /(\/|%(?:25)*2f)/i
const SLASHES = /(?:\/|%(?:25)*2f){2}/i
const VALUE = /(=|%(?:25)*3d).*$/is

function maskPath(path: string): string {
  // Most have nothing of that kind, which one look tells.
  if (!HIDING.test(path)) return path
  const masked = maskUserInfo(path)
  if (!VALUE.test(masked)) return masked
  return masked
    .split(/([/;&])/)
    .map((part) => part.replace(VALUE, `$1${MASK}`))
    .join('')
}

function maskQuery(query: string): string {
  const masked = query.split('&').map((part) => {
    const equals = part.indexOf('=')
    if (part === '') return ''
    return equals < 0 ? MASK : `${maskPath(part.slice(0, equals))}=${MASK}`
  })
  return `?${masked.join('&')}`
}
