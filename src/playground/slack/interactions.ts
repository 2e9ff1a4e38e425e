import * as z from 'zod'
import { suggestionAnswer, type InputElement, type Option } from './blocks/blocks.ts'
import type { Parts } from './wire/parts.ts'
import { isEmpty, placedElements, type ElementValue, type Placed } from './blocks/element-values.ts'
import { checkView, type ViewDefinition } from './blocks/message-rules.ts'
import {
  actionPayload,
  closedPayload,
  commandPayload,
  submissionPayload,
  suggestionPayload,
  usedElement,
  type Place,
} from './wire/payloads.ts'
import type { Channel, Member } from './state/seed.ts'
import { SlackError } from './state/slack-error.ts'
import type { Workspace } from './state/workspace.ts'
import type { StoredView } from './state/views.ts'

/** What a person sees of something they did: it went through, or Slack's words for why it did not. */
export type PersonOutcome =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly shown: string
      readonly errors?: Readonly<Record<string, string>>
    }

export const DONE: PersonOutcome = { ok: true }

/** Under or above a modal whose submission or action was not acknowledged, or was answered with nonsense. */
export const TROUBLE_CONNECTING = 'We had some trouble connecting. Try again?'
/** Beside an element of a message whose use was not acknowledged: the client shows only a sign. */
const WARNING_SIGN = '⚠'
const REQUIRED = 'Please complete this required field.'
const NO_OPTIONS = 'There was a problem loading the options.'

export function refused(shown: string): PersonOutcome {
  return { ok: false, shown }
}

function complained(errors: Readonly<Record<string, string>>): PersonOutcome {
  return { ok: false, shown: Object.values(errors).join('\n'), errors }
}

/** Sends what a person typed, such as `/cdn keys list`, and waits for the acknowledgement and its answer. */
export async function sendCommand(
  typed: string,
  by: Member,
  channel: Channel,
  inThread: boolean,
  parts: Parts,
): Promise<PersonOutcome> {
  const [, command = '', text = ''] = /^(\/\S*)\s*(.*)$/s.exec(typed.trim()) ?? []
  if (!parts.app.commands.includes(command)) {
    return refused(`${command === '' ? typed : command} is not a valid command.`)
  }
  if (inThread) return refused(`${command} is not supported in threads. Sorry!`)
  const failed = (error: string) => refused(`${command} failed with the error "${error}"`)
  const origin = { userId: by.id, channelId: channel.id, message: undefined, typed: typed.trim() }
  const reply = { triggerId: parts.triggers.issue(by.id), responseUrl: parts.responseUrls.issue(origin) }
  const payload = commandPayload({ command, text: escapedText(text, parts.workspace) }, by, channel, reply)
  const outcome = await parts.deliveries.deliver('slash_commands', payload)
  if (outcome.kind !== 'acked') return failed(outcome.kind === 'timeout' ? 'operation_timeout' : 'dispatch_failed')
  if (outcome.payload?.['text'] === undefined && outcome.payload?.['blocks'] === undefined) return DONE
  try {
    parts.responseUrls.apply(origin, outcome.payload)
    return DONE
  } catch (error) {
    if (error instanceof SlackError) return failed(error.code)
    throw error
  }
}

/** Finds an element by its ids; the block id may be left out where Slack made it up. Throws a plain error. */
export function placedElement(place: Place, blockId: string | undefined, actionId: string): Placed {
  const all = placedElements('view' in place ? place.view.definition.blocks : place.message.blocks)
  const found = all.find((each) => each.actionId === actionId && (blockId === undefined || each.blockId === blockId))
  if (found !== undefined) return found
  const there = all.map((placed) => `${placed.blockId}/${placed.actionId}`).join(', ')
  throw new Error(`Nothing called ${blockId ?? '*'}/${actionId} is shown, only: ${there}`)
}

/** Tells the app that an element was used, and waits for the acknowledgement. `value` is what is chosen in it now. */
export async function sendAction(
  place: Place,
  placed: Placed,
  value: ElementValue | undefined,
  by: Member,
  { triggers, responseUrls, deliveries }: Parts,
): Promise<PersonOutcome> {
  const isView = 'view' in place
  const reply = {
    triggerId: triggers.issue(by.id),
    responseUrl: isView
      ? ''
      : responseUrls.issue({ userId: by.id, channelId: place.channel.id, message: place.message }),
  }
  const payload = actionPayload(place, usedElement(placed, value), by, reply)
  const outcome = await deliveries.deliver('interactive', payload)
  if (outcome.kind === 'acked') return DONE
  return refused(isView ? TROUBLE_CONNECTING : WARNING_SIGN)
}

export type Suggestions =
  | { readonly ok: true; readonly options: readonly Option[] }
  | { readonly ok: false; readonly shown: string }

const DEFAULT_MIN_QUERY = 3

/** Asks the app for the options of an external select. Nothing is asked before enough was typed. */
export async function askOptions(
  view: StoredView,
  placed: Placed,
  query: string,
  by: Member,
  { deliveries }: Parts,
): Promise<Suggestions> {
  const { element } = placed
  if (element.type !== 'external_select') {
    throw new Error(`An element of type ${element.type} does not ask the app for options`)
  }
  const least = element.min_query_length ?? DEFAULT_MIN_QUERY
  if (query.length < least) return { ok: false, shown: `Type at least ${least} characters to see options.` }
  const outcome = await deliveries.deliver('interactive', suggestionPayload(view, placed, query, by))
  const answer = suggestionAnswer.safeParse(outcome.kind === 'acked' ? outcome.payload : undefined)
  return answer.success ? { ok: true, options: answer.data.options } : { ok: false, shown: NO_OPTIONS }
}

const answer = z.discriminatedUnion('response_action', [
  z.object({ response_action: z.literal('errors'), errors: z.record(z.string(), z.string().min(1)) }),
  z.object({ response_action: z.literal(['update', 'push']), view: z.unknown() }),
])

export async function submitView(view: StoredView, by: Member, parts: Parts): Promise<PersonOutcome> {
  const complaints = clientComplaints(view)
  parts.views.change(view.id, { errors: complaints })
  if (Object.keys(complaints).length > 0) return complained(complaints)
  const payload = submissionPayload(view, by, parts.triggers.issue(by.id))
  const outcome = await parts.deliveries.deliver('interactive', payload)
  if (outcome.kind !== 'acked') return refused(TROUBLE_CONNECTING)
  if (outcome.payload === undefined) {
    parts.views.close(view)
    return DONE
  }
  const parsed = answer.safeParse(outcome.payload)
  return parsed.success ? applied(parsed.data, view, parts) : refused(TROUBLE_CONNECTING)
}

export async function dismissView(view: StoredView, by: Member, { views, deliveries }: Parts): Promise<PersonOutcome> {
  views.close(view)
  const { definition } = view
  const isTold = definition.type === 'modal' && definition.notify_on_close === true
  // The view is gone from the screen whatever becomes of the notice.
  if (isTold) await deliveries.deliver('interactive', closedPayload(view, by))
  return DONE
}

function applied(given: z.infer<typeof answer>, view: StoredView, { views }: Parts): PersonOutcome {
  if (given.response_action !== 'errors') {
    const isPushed = given.response_action === 'push'
    return withView(given.view, (shown) => (isPushed ? views.push(view.userId, shown) : views.update(view, shown)))
  }
  // Complaints belong under input blocks of this view; any other key spoils the whole answer.
  const inputs = new Set(view.definition.blocks.filter(({ type }) => type === 'input').map((each) => each.block_id))
  const ids = Object.keys(given.errors)
  if (ids.length === 0 || !ids.every((id) => inputs.has(id))) return refused(TROUBLE_CONNECTING)
  views.change(view.id, { errors: given.errors })
  return complained(given.errors)
}

/** The app never learns that a view in its answer was refused; the person sees that something went wrong. */
function withView(given: unknown, show: (definition: ViewDefinition) => unknown): PersonOutcome {
  const checked = checkView(given, 'modal')
  if (!checked.ok) return refused(TROUBLE_CONNECTING)
  try {
    show(checked.view)
    return DONE
  } catch (error) {
    if (error instanceof SlackError) return refused(TROUBLE_CONNECTING)
    throw error
  }
}

/** What the client itself objects to before it sends a form, by block id. Nothing is sent while there is any. */
function clientComplaints(view: StoredView): Readonly<Record<string, string>> {
  const complaints: Record<string, string> = {}
  for (const { block, blockId, actionId } of placedElements(view.definition.blocks)) {
    const value = view.values[blockId]?.[actionId]
    if (block.type !== 'input' || value === undefined) continue
    if (isEmpty(value) && block.optional === true) continue
    const complaint = isEmpty(value) ? REQUIRED : valueComplaint(block.element, value)
    if (complaint !== undefined) complaints[blockId] = complaint
  }
  return complaints
}

function valueComplaint(element: InputElement, held: ElementValue): string | undefined {
  const text = typeof held['value'] === 'string' ? held['value'] : ''
  if (element.type === 'number_input') return numberComplaint(element, text)
  if (element.type !== 'plain_text_input' || element.max_length === undefined) return undefined
  return text.length > element.max_length ? `Please enter no more than ${element.max_length} characters.` : undefined
}

function numberComplaint(element: Extract<InputElement, { type: 'number_input' }>, text: string): string | undefined {
  const number = Number(text)
  if (text.trim() === '' || Number.isNaN(number)) return 'Please enter a valid number.'
  if (!element.is_decimal_allowed && !/^-?\d+$/.test(text)) return 'Please enter a whole number.'
  const { min_value: min, max_value: max } = element
  if (min !== undefined && number < Number(min)) return `Please enter a number of at least ${min}.`
  if (max !== undefined && number > Number(max)) return `Please enter a number of at most ${max}.`
  return undefined
}

type Known = Pick<Workspace, 'members' | 'channels' | 'groups'>

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
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
