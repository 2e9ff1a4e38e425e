const PLACEHOLDER = /\{(\w+)\}/g

/** Fills a path such as `/dnszone/{zoneId}/records`; each value is escaped to stay one part of the path. */
export function fillPath(template: string, values: Readonly<Record<string, string | undefined>>): string {
  return template.replace(PLACEHOLDER, (_, name: string) => {
    const value = values[name]
    // Dots alone mean other places of a path, and no escaping changes that.
    if (value === undefined || /^\.{0,2}$/.test(value)) throw new TypeError(`The path ${template} needs ${name}`)
    return encodeURIComponent(value)
  })
}

/** The values of a path that fits a template, or undefined; the inverse of {@link fillPath}, for serving the table. */
export function matchPath(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const literal = template
    .split(PLACEHOLDER)
    .map((part, index) => (index % 2 === 0 ? RegExp.escape(part) : `(?<${part}>[^/]+?)`))
  const match = new RegExp(`^${literal.join('')}$`).exec(path)
  if (match === null) return undefined
  try {
    return Object.fromEntries(
      Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    )
  } catch {
    // An escape that stands for no character: a path nobody has filled in.
    return undefined
  }
}
