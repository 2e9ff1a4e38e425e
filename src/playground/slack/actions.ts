import { suggestionAnswer, type Option } from './block-rules/options.ts'
import { placedElements, shownValues, withValue, type ElementValue, type Placed } from './form-values.ts'
import { DONE, refused, type PersonOutcome } from './outcome.ts'
import type { Parts } from './parts.ts'
import { actionPayload, chosenFields, suggestionPayload, usedElement, type Place } from './payloads.ts'
import type { Member } from './seed.ts'
import { NO_OPTIONS, TROUBLE_CONNECTING, typeMore, WARNING_SIGN } from './words.ts'

const DEFAULT_MIN_QUERY = 3

/** The options an external select shows, or the words it shows instead. */
export type Suggestions =
  | { readonly ok: true; readonly options: readonly Option[] }
  | { readonly ok: false; readonly shown: string }

/** Finds an element by its ids; the block id may be left out where Slack made it up. Throws a plain error. */
export function placedElement(place: Place, blockId: string | undefined, actionId: string): Placed {
  const blocks = 'view' in place ? place.view.definition.blocks : place.message.blocks
  const all = placedElements(blocks)
  const found = all.find(
    (placed) => placed.actionId === actionId && (blockId === undefined || placed.blockId === blockId),
  )
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
  parts: Parts,
): Promise<PersonOutcome> {
  const isView = 'view' in place
  const chosen = value === undefined ? buttonFields(placed) : chosenFields(value)
  const before = isView ? place.view.values : shownValues(place.message.blocks)
  const values = value === undefined ? before : withValue(before, placed.blockId, placed.actionId, value)
  const reply = {
    triggerId: parts.triggers.issue(
      by.id,
      isView && place.view.definition.type === 'modal' ? place.view.id : undefined,
    ),
    responseUrl: isView ? '' : responseUrl(place, by, parts),
  }
  const payload = actionPayload(place, usedElement(placed, chosen, parts.clock), by, values, reply)
  const outcome = await parts.deliveries.deliver(parts.transport, 'interactive', payload)
  if (outcome.kind === 'acked') return DONE
  return refused(isView ? TROUBLE_CONNECTING : WARNING_SIGN)
}

/** Asks the app for the options of an external select. Nothing is asked before enough was typed. */
export async function askOptions(
  place: Place,
  placed: Placed,
  query: string,
  by: Member,
  parts: Parts,
): Promise<Suggestions> {
  const { element } = placed
  if (element.type !== 'external_select') {
    throw new Error(`An element of type ${element.type} does not ask the app for options`)
  }
  const least = element.min_query_length ?? DEFAULT_MIN_QUERY
  if (query.length < least) return { ok: false, shown: typeMore(least) }
  const payload = suggestionPayload(place, placed, query, by)
  const outcome = await parts.deliveries.deliver(parts.transport, 'interactive', payload)
  const answer = outcome.kind === 'acked' ? suggestionAnswer.safeParse(outcome.payload) : undefined
  return answer?.success === true ? { ok: true, options: answer.data.options } : { ok: false, shown: NO_OPTIONS }
}

function responseUrl(place: Extract<Place, { message: unknown }>, by: Member, parts: Parts): string {
  const path = parts.responseUrls.issue({ userId: by.id, channelId: place.channel.id, message: place.message })
  return `${parts.baseUrl()}${path}`
}

/** A button has no state, but what the app wrote on it comes back. */
function buttonFields({ element }: Placed): Readonly<Record<string, unknown>> {
  if (element.type !== 'button') return {}
  return {
    ...(element.value === undefined ? {} : { value: element.value }),
    ...(element.style === undefined ? {} : { style: element.style }),
  }
}
