import * as z from 'zod'
import { addressProblem, baseAddressProblem } from './base-address.ts'
import type { PanelLink } from './operations/operation.ts'
import { Secret } from './shared/secret.ts'

/** The shapes that a setting's value can have, beyond plain text. Messages complete the sentence "NAME …". */

/**
 * A base address: https, or http on this machine only, since a key is sent to it; no credentials, query or fragment.
 * The value ends in a slash.
 */
export function baseUrl(): z.ZodType<URL, string>
export function baseUrl(fallback: string): z.ZodType<URL, string | undefined>
export function baseUrl(fallback?: string): z.ZodType<URL, string | undefined> {
  const url = z.string().transform((text, context) => {
    const problem = baseAddressProblem(text)
    if (problem === undefined) return new URL(text.endsWith('/') ? text : `${text}/`)
    context.addIssue({ code: 'custom', message: problem })
    return z.NEVER
  })
  return fallback === undefined ? url : url.prefault(fallback)
}

/** A key or token: it is sent in a header, so visible ASCII only, and a stray line end never reaches an error message. */
export function secret(
  shape = /^[\x21-\x7e]+$/,
  told = 'holds spaces, line ends or other characters that no key has',
): z.ZodType<Secret, string> {
  return z
    .string()
    .regex(shape, told)
    .transform((value) => new Secret(value))
}

/** An address to call that nobody else should know: https, or http on this machine only; without a fragment. */
export const secretAddress: z.ZodType<Secret, string> = z.string().transform((text, context) => {
  const problem = addressProblem(text) ?? (text.includes('#') ? 'holds a fragment: take it out' : undefined)
  if (problem === undefined) return new Secret(text)
  context.addIssue({ code: 'custom', message: problem })
  return z.NEVER
})

/** Refuses what looks like a placeholder and is none of these. No more of the template is quoted than that name. */
export function onlyPlaceholders(...known: readonly string[]): z.core.CheckFn<string> {
  return ({ value: input, issues }) => {
    const stray = input.match(/\{\w{0,20}\}?/g)?.find((each) => !known.includes(each))
    const message = `has ${stray} in it, which nothing fills: known are ${known.join(', ')}`
    if (stray !== undefined) issues.push({ code: 'custom', input, message })
  }
}

const panelText = z.string().check(onlyPlaceholders('{place}', '{id}'))
/** A template with `{place}` and `{id}` in it, as a function that makes links of it. */
export const panelTemplate: z.ZodType<PanelLink, string> = panelText.transform((template, context): PanelLink => {
  const example = fillPanel(template, 'dns-zone', 1n)
  if (!template.includes('{id}') || !URL.canParse(example) || !/^https?:$/.test(new URL(example).protocol)) {
    context.addIssue({
      code: 'custom',
      message: 'is not an address with {id} in it, such as https://panel.example.com/{place}/{id}',
    })
    return z.NEVER
  }
  return (place, id) => new URL(fillPanel(template, place, id))
})

function fillPanel(template: string, place: string, id: bigint): string {
  return template.replaceAll('{place}', place).replaceAll('{id}', String(id))
}

/** The id of a channel, public or private. */
export const CHANNEL_ID = /^[CG][A-Z0-9]{2,20}$/
/** A Slack user id. */
export const USER_ID = /^[UW][A-Z0-9]{2,20}$/
const MAX_PEOPLE = 1_000
const NO_LIST = `is not a list of at most ${MAX_PEOPLE} Slack user ids such as U0123456789, separated by commas`

/** Slack user ids, separated by commas or spaces. */
export const peopleList: z.ZodType<ReadonlySet<string>, string | undefined> = z
  .string()
  .default('')
  .transform((list, context) => {
    const ids = idsIn(list)
    if (ids !== undefined) return ids
    context.addIssue({ code: 'custom', message: NO_LIST })
    return z.NEVER
  })

function idsIn(list: string): ReadonlySet<string> | undefined {
  const ids = list.split(/[\s,]+/).filter((id) => id !== '')
  return ids.length <= MAX_PEOPLE && ids.every((id) => USER_ID.test(id)) ? new Set(ids) : undefined
}

/** The same, or `*`: every full member of the workspace, given as `everybody`. */
export const peopleOrEverybody: z.ZodType<ReadonlySet<string> | 'everybody', string | undefined> = z
  .string()
  .default('')
  .transform((list, context) => {
    if (list === '*') return 'everybody'
    const ids = idsIn(list)
    if (ids !== undefined) return ids
    context.addIssue({ code: 'custom', message: `${NO_LIST}, nor *` })
    return z.NEVER
  })

export interface ListenAddress {
  readonly host: string
  readonly port: number
}

/** `8080` or `127.0.0.1:8080`. Without a host all of the machine's addresses are meant, as a container needs it. */
export const listenAddress: z.ZodType<ListenAddress, string> = z.string().transform((text, context) => {
  const [, host = '0.0.0.0', digits = ''] = /^(?:([a-z0-9.-]+|\[[0-9a-f:]+\]):)?(\d{1,5})$/i.exec(text) ?? []
  const port = Number(digits)
  if (digits !== '' && port <= 65_535) return { host: host.replace(/^\[|\]$/g, ''), port }
  context.addIssue({ code: 'custom', message: 'is not a port such as 8080, or a host with a port' })
  return z.NEVER
})

/** A whole number of seconds within these bounds. */
export function seconds(least: number, most: number, fallback: number): z.ZodType<number, string | undefined> {
  return z
    .string()
    .default(String(fallback))
    .transform((text, context) => {
      const value = /^\d{1,9}$/.test(text) ? Number(text) : undefined
      if (value !== undefined && value >= least && value <= most) return value
      context.addIssue({ code: 'custom', message: `is not a whole number of seconds from ${least} to ${most}` })
      return z.NEVER
    })
}

const NAME = /^[A-Za-z][A-Za-z0-9]{0,99}$/

/** `A=B,C=D`: the name on the wire, then the name in the contract. */
export const fieldAliases: z.ZodType<Readonly<Record<string, string>>, string | undefined> = z
  .string()
  .default('')
  .transform((list, context) => {
    const pairs = list
      .split(',')
      .filter((pair) => pair.trim() !== '')
      .map((pair) => pair.split('=').map((name) => name.trim()))
    if (pairs.every((pair) => pair.length === 2 && pair.every((name) => NAME.test(name))))
      return Object.fromEntries(pairs)
    context.addIssue({ code: 'custom', message: 'is not a list such as TheirName=ContractName,Other=Name' })
    return z.NEVER
  })

/** Some of a fixed list of names, separated by commas. */
export function listOf<T extends string>(names: readonly T[]): z.ZodType<readonly T[], string> {
  return z.string().transform((list, context) => {
    const wanted = list.split(',').map((name) => name.trim())
    const known = names.filter((name) => wanted.includes(name))
    if (known.length === new Set(wanted).size) return known
    context.addIssue({ code: 'custom', message: `may name only ${names.join(', ')}` })
    return z.NEVER
  })
}
