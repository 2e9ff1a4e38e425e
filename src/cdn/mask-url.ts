const MASK = '…'

/**
 * An address with everything taken out that may let its reader act as somebody else: values of the query and of
 * `name=value` parts of the path, bare query words, the fragment, and a name and password before the host.
 */
export function maskUrl(url: string): string {
  const [beforeFragment = '', fragment] = splitOnce(url, '#')
  const [address = '', query] = splitOnce(beforeFragment, '?')
  const masked = address
    .replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/@]*@/i, (_, scheme: string | undefined) => `${scheme ?? ''}//${MASK}@`)
    .replace(/([^/;&=]+)=[^/;&]*/g, `$1=${MASK}`)
  return `${masked}${query === undefined ? '' : `?${maskQuery(query)}`}${fragment === undefined ? '' : `#${MASK}`}`
}

function maskQuery(query: string): string {
  return query.split('&').map(maskPair).join('&')
}

function maskPair(pair: string): string {
  if (pair === '') return ''
  const [name = '', value] = splitOnce(pair, '=')
  return value === undefined ? MASK : `${name}=${MASK}`
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)]
}
