import { UserError } from '../shared/errors.ts'

/**
 * The whole address of a call: base address (which may have a path of its own), path, and the query's given values.
 * Throws `UserError` when no base address is configured.
 */
export function callUrl(
  base: string | undefined,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
): URL {
  if (base === undefined) {
    throw new UserError(
      'not_configured',
      'The address of this part of the platform is not configured. Nothing was sent.',
      'Ask whoever runs the bot to set it.',
    )
  }
  const url = new URL(base.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url
}
