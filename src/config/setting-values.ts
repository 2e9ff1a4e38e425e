import ipaddr from 'ipaddr.js'
import * as z from 'zod'
import { runbookProblem } from '../alerts/state/incident.ts'
import { readId } from '../operations/declaration/fields.ts'
import type { PanelLink } from '../operations/declaration/operation.ts'
import { readDuration } from '../shared/durations.ts'
import { Secret } from '../shared/secret.ts'
import { visible } from '../shared/untrusted.ts'

/** Schemas of single values in the settings and in the configuration file. A message completes “NAME …” or “place (line 3) …”. */

const MAX_QUOTED = 120

export function quoted(text: string): string {
  return visible(text.replaceAll(/\s+/g, ' ').replace(/\.$/, ''), MAX_QUOTED)
}

/** Text that `read` converts; undefined from it means that it cannot, and `problem` is what is wrong. */
function textAs<Value>(read: (text: string) => Value | undefined, problem: string): z.ZodType<Value, string> {
  return z.string().transform((text, context) => {
    const value = read(text)
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message: problem })
    return z.NEVER
  })
}

export function lengthOfTime(leastMs: number, mostMs: number, problem: string): z.ZodType<number, string> {
  return textAs((text) => {
    const ms = readDuration(text)
    return ms !== undefined && ms >= leastMs && ms <= mostMs ? ms : undefined
  }, problem)
}

/**
 * A base address: https, or http on this machine only, since a key is sent to it; no credentials, query or fragment.
 * The value ends in a slash.
 */
export const baseUrl: z.ZodType<URL, string> = z
  .string()
  .check(
    refusing(
      (text) => addressProblem(text) ?? (/[?#]/.test(text) ? 'holds a query or fragment: take it out' : undefined),
    ),
  )
  .transform((text) => new URL(text.endsWith('/') ? text : `${text}/`))

/** An address to call that nobody else should know: https, or http on this machine only; without a fragment. */
export const secretAddress: z.ZodType<Secret, string> = z
  .string()
  .check(refusing((text) => addressProblem(text) ?? (text.includes('#') ? 'holds a fragment: take it out' : undefined)))
  .transform((text) => new Secret(text))

/** It is linked, and never called. */
export const runbookAddress: z.ZodType<string, string> = z.string().check(refusing(runbookProblem))

function refusing<Value>(problemOf: (value: Value) => string | undefined): z.core.CheckFn<Value> {
  return ({ value: input, issues }) => {
    const message = problemOf(input)
    if (message !== undefined) issues.push({ code: 'custom', input, message })
  }
}

/** A key or token: it is sent in a header, so visible ASCII only, and a stray line end never reaches an error message. */
export function secret(
  shape = /^[\x21-\x7e]+$/,
  problem = 'holds spaces, line ends or other characters that no key has',
): z.ZodType<Secret, string> {
  return z
    .string()
    .regex(shape, problem)
    .transform((value) => new Secret(value))
}

/** Refuses what looks like a placeholder and is none of these. No more of the template is quoted than that name. */
export function onlyPlaceholders(...known: readonly string[]): z.core.CheckFn<string> {
  return refusing((template) => {
    const stray = template.match(/\{\w{0,20}\}?/g)?.find((each) => !known.includes(each))
    return stray && `has ${stray} in it, which nothing fills: known are ${known.join(', ')}`
  })
}

export const panelTemplate: z.ZodType<PanelLink, string> = z
  .string()
  .check(onlyPlaceholders('{place}', '{id}'))
  .pipe(
    textAs((template): PanelLink | undefined => {
      const link = (place: string, id: bigint): string =>
        template.replaceAll('{place}', place).replaceAll('{id}', String(id))
      const example = URL.parse(link('dns-zone', 1n))
      if (!template.includes('{id}') || !/^https?:$/.test(example?.protocol ?? '')) return undefined
      const front = template.slice(0, template.indexOf('{'))
      return (place, id) => URL.parse(id === undefined ? front : link(place, id)) ?? undefined
    }, 'is not an address with {id} in it, such as https://panel.example.com/{place}/{id}'),
  )

const USER_ID = /^[UW][A-Z0-9]{2,20}$/

export const channelId = z.string().regex(/^[CG][A-Z0-9]{2,20}$/, 'is not a channel id such as C0123456789')
export const userId = z.string().regex(USER_ID, 'is not a Slack user id such as U0123456789')
export const groupId = z.string().regex(/^S[A-Z0-9]{2,20}$/, 'is not the id of a Slack user group, such as S0123456789')
export const groupOrUserId = z
  .string()
  .regex(/^[SUW][A-Z0-9]{2,20}$/, 'is not the id of a Slack user group or user, such as S0123456789 or U0123456789')

const MAX_LISTED = 1_000
const NO_PEOPLE = `is not a list of at most ${MAX_LISTED} Slack user ids such as U0123456789, separated by commas`

export const peopleList: z.ZodType<ReadonlySet<string>, string> = textAs(idsIn, NO_PEOPLE)

/** The same, or `*`: every full member of the workspace, given as `everybody`. */
export const peopleOrEverybody: z.ZodType<ReadonlySet<string> | 'everybody', string> = textAs(
  (list) => (list === '*' ? 'everybody' : idsIn(list)),
  `${NO_PEOPLE}, nor *`,
)

function idsIn(list: string): ReadonlySet<string> | undefined {
  const ids = list.split(/[\s,]+/).filter((id) => id !== '')
  return ids.length <= MAX_LISTED && ids.every((id) => USER_ID.test(id)) ? new Set(ids) : undefined
}

export interface ListenAddress {
  readonly host: string
  readonly port: number
}

/** `8080` or `127.0.0.1:8080`. Without a host all of the machine's addresses are meant, as a container needs it. */
export const listenAddress = textAs((text): ListenAddress | undefined => {
  const [, host = '0.0.0.0', digits = ''] = /^(?:([a-z0-9.-]+|\[[0-9a-f:]+\]):)?(\d{1,5})$/i.exec(text) ?? []
  const port = Number(digits)
  return digits !== '' && port <= 65_535 ? { host: host.replace(/^\[|\]$/g, ''), port } : undefined
}, 'is not a port such as 8080, or a host with a port')

export function seconds(least: number, most: number): z.ZodType<number, string> {
  return textAs((text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : undefined
    return value !== undefined && value >= least && value <= most ? value : undefined
  }, `is not a whole number of seconds from ${least} to ${most}`)
}

const FIELD_NAME = /^[A-Za-z][A-Za-z0-9]{0,99}$/

/** `A=B,C=D`: the name on the wire, then the name in the contract. */
export const fieldAliases = textAs((list): Readonly<Record<string, string>> | undefined => {
  const pairs = list
    .split(',')
    .filter((pair) => pair.trim() !== '')
    .map((pair) => pair.split('=').map((name) => name.trim()))
  const areNames = pairs.every((pair) => pair.length === 2 && pair.every((name) => FIELD_NAME.test(name)))
  return areNames ? Object.fromEntries(pairs) : undefined
}, 'is not a list such as TheirName=ContractName,Other=Name')

export function someOf<Name extends string>(names: readonly Name[]): z.ZodType<readonly Name[], string> {
  return textAs(
    (list) => {
      const wanted = list.split(',').map((name) => name.trim())
      const known = names.filter((name) => wanted.includes(name))
      return known.length === new Set(wanted).size ? known : undefined
    },
    `may name only ${names.join(', ')}`,
  )
}

/** For a check of a whole: it waits until each part is right by itself. */
export const ONCE_PARTS_ARE_RIGHT = { when: ({ issues }: z.core.ParsePayload) => issues.length === 0 } as const

/** A map with these names and no others: of something misspelt, the names that would have been right are told. */
export function strict<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `is not known here; known are ${Object.keys(shape).join(', ')}` : undefined,
  })
}

export function listOf<Item extends z.ZodType>(item: Item, least = 0) {
  return z
    .array(item)
    .min(least, 'is an empty list: fill it or take it out')
    .max(MAX_LISTED, `has more than ${MAX_LISTED} entries`)
}

const NO_ZONE_ID = 'is not the id of a zone, such as 201'

/** The id of a zone as digits: a number, or text where a number would lose some. */
export const zoneId = z
  .union([z.string(), z.number()], { error: ({ input }) => (input == null ? undefined : NO_ZONE_ID) })
  .check(
    refusing((id) => {
      if (Number.isInteger(id) && !Number.isSafeInteger(id))
        return 'is too long for a number, which would lose its last digits: put it in quotes'
      return readId(String(id)) === undefined ? NO_ZONE_ID : undefined
    }),
  )
  .transform(String)

/**
 * What is wrong with an address that a key or secret is to be sent to; undefined when nothing is. It has to be https, or http
 * on this machine only. Holds nothing of the address.
 */
function addressProblem(text: string): string | undefined {
  if (/[^\x21-\x7e]/.test(text)) return 'holds white space, or letters beyond ASCII: write the host in its xn-- form'
  const url = /^[a-z]+:\/\/[^/\\]/i.test(text) ? URL.parse(text) : null
  if (url === null) return 'is not an address such as https://api.example.com'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is not an https address'
  if (url.username !== '' || url.password !== '') return 'holds a user name or password: take it out'
  const host = url.hostname.replaceAll(/^\[|\]$/g, '')
  const range = ipaddr.isValid(host) ? ipaddr.parse(host).range() : undefined
  if (host === 'localhost' || range === 'loopback') return undefined
  if (url.protocol === 'http:') return 'is http, which is taken only for this machine itself: use https'
  const isPossible = range === undefined || (POSSIBLE_RANGES.has(range) && !METADATA_SERVICES.has(host))
  return isPossible ? undefined : 'leads to an address at which no platform can be'
}

/** A platform may be in a private network too, but never at an address that is link-local, multicast, mapped or reserved. */
const POSSIBLE_RANGES: ReadonlySet<string> = new Set(['unicast', 'private', 'carrierGradeNat', 'uniqueLocal'])
/** Cloud hosts hand out credentials at these, which are in ranges that are possible. */
const METADATA_SERVICES: ReadonlySet<string> = new Set(['100.100.100.200', '168.63.129.16', 'fd00:ec2::254'])
