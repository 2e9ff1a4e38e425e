import { parseSubject } from '../../alerts/state/rule-subjects.ts'
import { ROLES_THAT_READ_STATISTICS } from '../../cdn/contract/api-keys.ts'
import { CdnError } from '../../cdn/contract/errors.ts'
import { HOUR_MS } from '../../shared/durations.ts'
import { UserError } from '../../shared/errors.ts'
import { redact, type Secret } from '../../shared/secret.ts'
import { visible } from '../../shared/untrusted.ts'
import { alertRulesOf, broken, type Check, found, type Look, named, type Patient, sound, unknown } from './check.ts'

const MAX_ROLE_CHARACTERS = 60

/** Of the account's keys no more is kept than the names of the roles of our own. */
async function lookAtKey({ cdn, settings, signal }: Patient): Promise<Look> {
  let roles: ReadonlySet<string>
  try {
    // A page is a thousand keys.
    const { Items } = await cdn.listApiKeys({}, { signal })
    const ours = Items.filter(({ redactedKey }) => isOurs(redactedKey, settings.CDN_API_KEY))
    roles = new Set(ours.flatMap(({ Roles }) => Roles).map((role) => visible(role, MAX_ROLE_CHARACTERS)))
  } catch (error) {
    signal.throwIfAborted()
    return keyRefused(whyFailed(error), settings.CDN_API_URL)
  }
  if (roles.size === 0) return sound('accepted; which of the listed keys it is, and so its roles, is not known')
  const names = named([...roles])
  const able = [...ROLES_THAT_READ_STATISTICS]
  if (able.some((role) => roles.has(role)))
    return sound(`accepted, with ${names}: lists keys and reads storage statistics; for writes the CDN names no role`)
  const happened = `The CDN key has the roles ${names}, none of which reads storage statistics, so storage commands and alerts fail.`
  return broken('cdn-key:roles', happened, `Give the key one of ${able.join(', ')}.`)
}

/** By its last characters, which the client leaves of it; of a short key it leaves none. */
function isOurs(redactedKey: string | undefined, own: Secret | undefined): boolean {
  const ours = own && redact(own.reveal())
  return ours !== undefined && ours.length > 1 && redactedKey === ours
}

function keyRefused(why: string, { origin }: URL): Look {
  const cause = `cdn-key:${why}`
  switch (why) {
    case '429':
      return unknown('the CDN asks to wait')
    case '401': {
      const happened = 'The CDN does not accept the key of CDN Ops (401), so nothing of the CDN works.'
      return broken(
        cause,
        happened,
        'Put a valid one into CDN_API_KEY or CDN_BEARER_TOKEN, whichever is set, then start again.',
      )
    }
    case '403': {
      const happened = 'The CDN key may not list API keys (403), so keys list and the alert about keys fail.'
      return broken(cause, happened, 'Give the key a role that may list keys, if they are wanted.')
    }
    default: {
      const happened = `The management interface at ${origin} gives no usable answer (${why}), so nothing of the CDN works.`
      return broken(cause, happened, `Check CDN_API_URL and the network; ${OR_LATER}`)
    }
  }
}

const OR_LATER = 'if the CDN itself fails, look again in a minute.'

/** In a word. Throws what is no failure of the CDN, nor of its limits. */
function whyFailed(error: unknown): string {
  if (error instanceof UserError) return 'busy'
  if (!(error instanceof CdnError)) throw error
  const { failure } = error
  if (failure.kind === 'rejected') return String(failure.status)
  return failure.kind === 'unreachable' ? failure.reason : 'unreadable'
}

/** Each costs a request of its zone's limit. */
const MAX_ZONES = 50

async function lookAtLogs(patient: Patient): Promise<Look> {
  const { cdn, clock, signal, store } = patient
  if (typeof store === 'string') return unknown(store)
  if (store instanceof Error) return unknown('which zones are watched stands in the store')
  const subjects = (await alertRulesOf(patient)).map(({ subject }) => parseSubject(subject))
  const all = [...new Set(subjects.flatMap((subject) => (subject?.kind === 'pull' ? [subject.zoneId] : [])))]
  const zones = all.slice(0, MAX_ZONES)
  const filter = { from: new Date(clock.now().getTime() - HOUR_MS) }
  const failures = new Map<string, string[]>()
  const look = async (zone: string): Promise<void> => {
    try {
      await cdn.queryLogs(BigInt(zone), filter, { maxEntries: 1, maxPages: 1, signal })
    } catch (error) {
      signal.throwIfAborted()
      const why = whyFailed(error)
      failures.set(why, [...(failures.get(why) ?? []), zone])
    }
  }
  await Promise.all(zones.map(look))
  const findings = [...failures].flatMap(([why, of]) => (PASSING.has(why) ? [] : logsMissing(why, of).findings))
  if (findings.length > 0) return found(...findings)
  if (failures.size > 0) return unknown('the logs of some watched zones are read as often as the CDN allows')
  return sound(
    all.length === 0 ? 'no pull zone is watched' : `on for ${zones.length} of ${all.length} watched pull zones`,
  )
}

const PASSING: ReadonlySet<string> = new Set(['429', 'busy'])

function logsMissing(why: string, zones: readonly string[]): Look {
  const happened = `The CDN gives no log of pull zone ${named(zones)} (${why}), so alerts about it see nothing.`
  const remedy = LOG_REMEDIES[why] ?? `Check CDN_LOGGING_URL and the network; ${OR_LATER}`
  return broken(`logs:${why}:${zones.join(',')}`, happened, remedy)
}

const LOG_REMEDIES: Readonly<Record<string, string>> = {
  401: 'Check CDN_API_KEY or CDN_BEARER_TOKEN, and what may strip headers on the way.',
  403: 'Look in the CDN’s panel whether the zone is suspended, and check CDN_API_KEY or CDN_BEARER_TOKEN.',
  404: 'Enable logging for it in the CDN’s panel, or remove its alerts if there is no such zone.',
}

export const CDN_KEY_CHECK: Check = { name: 'CDN key', look: lookAtKey }
export const LOG_CHECK: Check = { name: 'logs', ofBot: true, look: lookAtLogs }
