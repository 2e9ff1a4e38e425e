import type { SlackEmulator } from '../../src/playground/slack/emulator.ts'
import { styleProblems } from './message-style.ts'

/** What an app sent to Slack: a call of its Web API, a post to a response address, or an acknowledgement with words. */
export interface Sent {
  readonly method: string
  readonly args: unknown
}

/** Whom and where our own control sequences may name. */
export interface Known {
  /** Ids of people, channels and user groups of the workspace. */
  readonly ids: ReadonlySet<string>
  /** Hosts that links and buttons may lead to, with their port. */
  readonly hosts: ReadonlySet<string>
}

/** The panel as the settings of tests and playground name it. */
const PANEL_HOST = 'panel.example.com'
/** What `<!date^…>` may show where Slack cannot format it. */
const MOMENT = String.raw`\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC`
/** Every form that a control sequence of our own has. */
const OWN = new RegExp(
  [
    String.raw`<[@#](?<id>[A-Z0-9]{3,21})>`,
    String.raw`<!subteam\^(?<group>S[A-Z0-9]{2,20})>`,
    String.raw`<!date\^\d{1,12}\^[^<>|^&]{1,100}\|${MOMENT}>`,
    String.raw`<(?<link>https?://[^\s<>|]+)\|[^<>|]{1,200}>`,
  ].join('|'),
  'gu',
)
/** The pictures in messages of our own; every other name between colons comes from outside. */
const OWN_PICTURES = new Set(
  'arrow_forward busts_in_silhouette grey_question hourglass hourglass_flowing_sand moneybag no_entry pencil2 rotating_light warning white_check_mark x'.split(
    ' ',
  ),
)
/** A name between colons that Slack may draw; times, ports and most groups of addresses have none. */
const PICTURE =
  /:(?!\d+:|[0-9a-f]{1,4}:)([\p{Ll}\p{Lo}\p{N}_+'-]+)(?=:)|:(100|1234|a|b|ab|abc|abcd|bed|bee|cd|de)(?=:)/gu
const ENTITY = /&(?:amp|lt|gt);/g
/** Control, format, private-use, unassigned and separator characters, halves of pairs, and fillers; not line feed and tab. */
const HIDING =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u115F\u2800\u3164\uFFA0]|\u1160|\u034F|(?<!\p{Extended_Pictographic})\p{Variation_Selector}/u
const FILE_NAME = /^[a-z0-9-]{1,200}\.csv$/
/** Fields of a message that would put words or pictures past the two ways of showing text. */
const UNUSED = ['attachments', 'username', 'icon_url', 'icon_emoji', 'initial_comment', 'markdown_text', 'metadata']
/** What elements of rich text do that text does not: link, tell people, show pictures. */
const LIVELY = new Set(['link', 'user', 'usergroup', 'broadcast', 'channel', 'emoji', 'team', 'image', 'video'])
const POSTING = new Set(['chat.postMessage', 'chat.postEphemeral', 'response_url'])
const SHOWN_CHARACTERS = 80

/** What is wrong with everything that was sent, a sentence each, in order; empty when nothing is. */
export function outgoingProblems(sent: readonly Sent[], known: Known): readonly string[] {
  return sent.flatMap(({ method, args }) => {
    const found = [...flagProblems(method, args), ...topTextProblems(method, args), ...walk(args, '', args, known)]
    return found.map((problem) => `${method}${problem}`)
  })
}

/** What an emulated workspace was sent so far, and whom it knows. */
export function outgoingProblemsOf(slack: SlackEmulator): readonly string[] {
  const { members, groups, channels } = slack.workspace
  const ids = new Set([...members, ...groups, ...channels].map(({ id }) => id))
  const answers = slack.deliveries.flatMap(({ answer, type }) =>
    answer === undefined ? [] : [{ method: `answer to ${type}`, args: answer }],
  )
  return outgoingProblems([...slack.calls, ...answers], { ids, hosts: new Set([PANEL_HOST]) })
}

/**
 * The same workspace, which looks through everything it was sent when it is closed, and then throws what is wrong: what
 * is not harmless, and what is not written for somebody at three in the morning.
 */
export function walked(slack: SlackEmulator): SlackEmulator {
  // Its getters belong to the object itself, so it is handed on as it is, with another end.
  const end = slack.close
  return Object.assign(Object.create(slack, {}), {
    close: async () => {
      await end()
      const problems = [...outgoingProblemsOf(slack), ...styleProblems(slack.calls)]
      if (problems.length > 0) throw new Error(`What was sent to Slack is not as it has to be:\n${problems.join('\n')}`)
    },
  })
}

/** The keys that end with text which is never shown, or is read by programs alone. */
const OPAQUE = new Set(['trigger_id', 'private_metadata', 'upload_url'])

function walk(value: unknown, path: string, holder: unknown, known: Known): readonly string[] {
  if (typeof value === 'string') return textProblems(value, path, holder, known)
  if (typeof value !== 'object' || value === null) return []
  return [
    ...objectProblems(value, path),
    ...Object.entries(value).flatMap(([key, part]) =>
      OPAQUE.has(key) ? [] : walk(part, `${path}/${key}`, Array.isArray(value) ? holder : value, known),
    ),
  ]
}

function textProblems(text: string, path: string, holder: unknown, known: Known): readonly string[] {
  const at = (what: string): string => `${path}: ${what}: ${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}`
  const found: string[] = []
  const key = path.slice(path.lastIndexOf('/') + 1)
  if (HIDING.test(text)) found.push(at('a character that hides or is half a pair'))
  if (key === 'text' && isOfType(holder, 'mrkdwn')) found.push(...markupProblems(text, known).map(at))
  if (/^(image_|thumb_|title_)?url$/.test(key) && !isAllowed(text, known)) found.push(at('an address that is not ours'))
  if (key === 'filename' && !FILE_NAME.test(text)) found.push(at('a file name that is not ours'))
  if (key === 'title' && text.includes('\n')) found.push(at('a title of several lines'))
  return found
}

/** What Slack reads as markup holds our own control sequences and entities, and no other `<`, `>` or `&`. */
function markupProblems(text: string, known: Known): readonly string[] {
  const found: string[] = []
  const rest = text.replace(OWN, (sequence, ...parts) => {
    // The last argument of a replacer is the named groups.
    const { id, group, link } = parts.at(-1) as Readonly<Record<string, string | undefined>>
    const named = id ?? group
    if (named !== undefined && !known.ids.has(named)) found.push(`somebody unknown, ${named}`)
    if (link !== undefined && !isAllowed(link.replaceAll('&amp;', '&'), known)) found.push(`a link, ${sequence}`)
    return ''
  })
  const drawn = [...rest.replaceAll(/`[^`\n]*`/g, ' ').matchAll(PICTURE)].map(([, name, short]) => name ?? short ?? '')
  found.push(...drawn.filter((name) => !OWN_PICTURES.has(name)).map((name) => `a picture, :${name}:`))
  if (/[<>]/.test(rest)) found.push('a control sequence that is not ours')
  if (rest.replace(ENTITY, '').includes('&')) found.push('an & that is no entity')
  return found
}

function isAllowed(address: string, { hosts }: Known): boolean {
  const url = URL.parse(address)
  return url !== null && hosts.has(url.host) && url.username === '' && url.password === ''
}

/** `text` beside blocks is what a notification shows: nothing in it is ever ours to format. */
function topTextProblems(method: string, args: unknown): readonly string[] {
  const text = part(args, 'text')
  if (method === 'upload' || typeof text !== 'string') return []
  const found = markupProblems(text, { ids: new Set(), hosts: new Set() })
  const controls = new RegExp(OWN.source, 'u').test(text) ? ['a control sequence in plain words'] : []
  const pictures = text.search(PICTURE) >= 0 ? ['a picture in plain words'] : []
  return [...found, ...controls, ...pictures].map(
    (what) => `/text: ${what}: ${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}`,
  )
}

function flagProblems(method: string, args: unknown): readonly string[] {
  if (!POSTING.has(method) && method !== 'chat.update') return []
  const found = UNUSED.filter((name) => part(args, name) !== undefined).map((name) => `: ${name} is never used`)
  const has = (name: string, wanted: unknown): boolean => {
    const value = part(args, name)
    return value === wanted || value === String(wanted)
  }
  if (!has('parse', 'none') || !has('link_names', false))
    found.push(': Slack may make links and mentions of bare words')
  if (POSTING.has(method) && !(has('unfurl_links', false) && has('unfurl_media', false))) found.push(': may unfurl')
  return found
}

function objectProblems(value: object, path: string): readonly string[] {
  if (isOfType(value, 'mrkdwn') && part(value, 'verbatim') !== true) return [`${path}: is not verbatim`]
  if (isOfType(value, 'plain_text') && part(value, 'emoji') !== false) return [`${path}: may show :names: as pictures`]
  const type = part(value, 'type')
  return typeof type === 'string' && LIVELY.has(type) ? [`${path}: ${type} is never used`] : []
}

function isOfType(value: unknown, type: string): boolean {
  return part(value, 'type') === type
}

function part(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined
}
