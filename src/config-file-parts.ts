import * as z from 'zod'
import { readId } from './operations/fields.ts'
import { CHANNEL_ID, USER_ID } from './settings-values.ts'

/** What the parts of a configuration file are made of. A message completes “place (line 3) …”, or is a sentence. */

/** Of any list in the file. */
export const MAX_LISTED = 1_000

/** A map with these names and no others: of something misspelt, the names that would have been right are told. */
export function strict<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `is not known here; known are ${Object.keys(shape).join(', ')}` : undefined,
  })
}

function slackId(shape: RegExp, told: string) {
  return z.string(told).regex(shape, told)
}

/** A list of at most 1,000 entries. */
export function listOf<Item extends z.ZodType>(item: Item, least = 0) {
  return z
    .array(item)
    .min(least, 'is an empty list: fill it or take it out')
    .max(MAX_LISTED, `has more than ${MAX_LISTED} entries`)
}

/** The id of a person in Slack. */
export const userId = slackId(USER_ID, 'is not a Slack user id such as U0123456789')
/** The id of a user group of Slack. */
export const groupId = slackId(/^S[A-Z0-9]{2,20}$/, 'is not the id of a Slack user group, such as S0123456789')
/** The id of a channel, public or private. */
export const channelId = slackId(CHANNEL_ID, 'is not a channel id such as C0123456789')

const BARE_ID = 'is not the id of a zone, such as 201'
/** The id of a zone as digits: a number, or text where a number would lose some. */
export const zoneId = z.unknown().transform((given, context): string => {
  const message = typeof given === 'number' ? numberProblem(given) : textProblem(given)
  if (message === undefined) return String(given)
  context.addIssue({ code: 'custom', message })
  return z.NEVER
})

function numberProblem(given: number): string | undefined {
  if (Number.isInteger(given) && !Number.isSafeInteger(given))
    return 'is too long for a number, which would lose its last digits: put it in quotes'
  return textProblem(String(given))
}

function textProblem(given: unknown): string | undefined {
  if (given === undefined) return 'is not given'
  return typeof given === 'string' && readId(given) !== undefined ? undefined : BARE_ID
}
