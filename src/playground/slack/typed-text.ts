import type { Workspace } from './state/workspace.ts'

type Known = Pick<Workspace, 'members' | 'channels' | 'groups'>

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Addresses, e-mail addresses, bare host names, @names and #names, in the order they are tried. */
const LINKABLE = new RegExp(
  [
    String.raw`(?<url>https?:\/\/[^\s<>|"']+)`,
    String.raw`(?<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)`,
    String.raw`(?<host>(?<![\w.@/-])(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+(?:com|net|org|io|dev|app|de|si|eu|uk)(?:\/[^\s<>|"']*)?(?![\w.-]*\w))`,
    String.raw`(?<![\w@])@(?<name>[\w.-]+)`,
    String.raw`(?<![\w#])#(?<channel>[\w-]+)`,
  ].join('|'),
  'giu',
)

/**
 * The text of a slash command as an app with "escape" turned on receives it: `&`, `<` and `>` as entities, links in
 * angle brackets, people as `<@U…>`, user groups as `<!subteam^S…|@handle>`, channels as `<#C…|name>` and private ones as `<#C…|>`.
 */
export function escapedText(typed: string, known: Known): string {
  let escaped = ''
  let end = 0
  for (const match of typed.matchAll(LINKABLE)) {
    escaped += entities(typed.slice(end, match.index)) + linked(match, known)
    end = match.index + match[0].length
  }
  return escaped + entities(typed.slice(end))
}

function linked(match: RegExpExecArray, { members, channels, groups }: Known): string {
  const whole = match[0]
  const { url, mail, host, name, channel } = match.groups ?? {}
  if (url !== undefined) return `<${entities(url)}>`
  if (mail !== undefined) return `<mailto:${mail}|${mail}>`
  if (host !== undefined) return `<http://${entities(host)}|${entities(host)}>`
  const person = members.find((member) => member.name === name)
  if (person !== undefined) return `<@${person.id}>`
  const group = groups.find((each) => each.handle === name)
  if (group !== undefined) return `<!subteam^${group.id}|@${group.handle}>`
  const place = channels.find((each) => each.kind !== 'im' && each.name === channel)
  if (place !== undefined) return `<#${place.id}|${place.kind === 'public' ? place.name : ''}>`
  return entities(whole)
}

function entities(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? character)
}
