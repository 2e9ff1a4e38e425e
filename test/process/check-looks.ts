import { CdnError, type CdnFailure } from '../../src/cdn/contract/errors.ts'
import { CDN_KEY_CHECK, LOG_CHECK } from '../../src/process/doctor/cdn-checks.ts'
import type { Patient } from '../../src/process/doctor/check.ts'
import { CLOCK_CHECK, PROCESS_CHECKS, STORE_CHECKS } from '../../src/process/doctor/own-checks.ts'
import { SLACK_CHECKS } from '../../src/process/doctor/slack-checks.ts'
import { Secret } from '../../src/shared/secret.ts'
import { SlackError } from '../../src/slack/out/web-api.ts'
import { roleSources } from '../../src/slack/people/role-sources.ts'
import { TurnedClock } from '../support/turned-clock.ts'

const CHECKS = [...PROCESS_CHECKS, ...SLACK_CHECKS, CDN_KEY_CHECK, ...STORE_CHECKS, LOG_CHECK, CLOCK_CHECK]
export const SETTINGS = {
  STORE_URL: 'postgres://db/cdn_ops',
  SLACK_API_URL: new URL('https://slack.example/api/'),
  CDN_API_URL: new URL('https://cdn.example/v1/'),
  CDN_API_KEY: new Secret('0123456789abcdef-key'),
  SLACK_APP_TOKEN: new Secret('xapp-1'),
  SLACK_BOT_TOKEN: new Secret('xoxb-1'),
  OPS_CHANNEL: 'COPS',
}
export const IDENTITY = { teamId: 'T1', enterpriseId: undefined, isOrgWide: false, scopes: undefined }

type Parts = Partial<Record<Exclude<keyof Patient, 'identity'>, unknown>> & {
  readonly identity?: () => Promise<unknown>
}
/** What a check sees of, and what it tells then, as `look` has it. */
export type Row = readonly [parts: Parts, told: string]

/** Who is listed, as a role has them. */
export const listing = (users: readonly string[], groups: readonly string[] = []) => {
  const sources = roleSources({ admins: new Set(users), operators: new Set(), viewers: new Set() })
  return { ...sources, breakGlassGroups: new Set(groups) }
}

/** What a check tells of a patient, of whom only what it looks at has to be there. */
export async function look(name: string, parts: Parts): Promise<string> {
  const patient = {
    configuration: { roles: listing([]), file: { alertRules: [] }, problems: () => [] },
    clock: new TurnedClock(),
    store: 'no store',
    secondsAhead: new Map(),
    signal: new AbortController().signal,
    ...parts,
    identity: parts.identity?.() ?? Promise.resolve(IDENTITY),
    settings: { ...SETTINGS, ...(parts.settings as object) },
  }
  const check = CHECKS.find((each) => each.name === name)
  if (check === undefined) throw new Error('There is no such check')
  const { seen, isUnknown, findings } = await check.look(patient as unknown as Patient)
  const found = findings.map((each) => `${each.stops ? '✗' : '!'} ${each.cause}: ${each.happened} → ${each.remedy}`)
  return [...(seen === '' ? [] : [`${isUnknown ? '?' : '✓'} ${seen}`]), ...found].join('\n')
}

export const refusing = (error: Error) => async (): Promise<never> => {
  throw error
}
export const failing = (failure: CdnFailure) => refusing(new CdnError('listApiKeys', failure))
/** A Slack that answers each method or person so, with an error where that is a code. */
export const slack = (answers: Readonly<Record<string, unknown>>) => ({
  call: async (_: string, method: string, { user }: { readonly user?: string }) => {
    const answer = answers[user ?? method]
    if (typeof answer === 'string') throw new SlackError(method, answer)
    return answer
  },
})
