import { link, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { readId } from '../../operations/declaration/fields.ts'
import { stem } from '../../operations/declaration/find-operation.ts'
import type { CheckContext, PanelPlace } from '../../operations/declaration/operation.ts'
import { zonesNamed } from '../../operations/declaration/zone-field.ts'

const VERBS: ReadonlyMap<string, RegExp> = new Map([
  ['remove', /^(?:clear|del|delete|destroy|drop|purge|remove|revoke|rm)$/i],
  ['look up', /^(?:check|find|get|list|lookup|ls|show)$/i],
  ['create', /^(?:add|create|new)$/i],
  ['rotate', /^(?:renew|rotate)$/i],
  ['change', /^(?:change|edit|modify|rename|set|update)$/i],
])

/** An API key has no page of its own, and is looked up here. */
const THINGS: readonly (readonly [noun: string, what: string, place?: PanelPlace])[] = [
  ['dns', 'a record', 'dns-zone'],
  ['library', 'a video library', 'video-library'],
  ['key', 'an API key'],
]

/** That something typed can be done in the platform's panel alone, with the way there; undefined for anything else. */
export function panelOnly(typed: string, { panel, zones }: Pick<CheckContext, 'panel' | 'zones'>): Mrkdwn | undefined {
  const [noun = '', verb = '', about = ''] = typed.trim().split(/\s+/)
  if (/^(?:flush|invalidate|purge)$/i.test(noun)) return md`CDN Ops can’t purge the cache; the CDN’s panel can.`
  const [, what, place] = THINGS.find(([name]) => stem(name) === stem(noun)) ?? []
  const [done] = [...VERBS].find(([, spelling]) => spelling.test(verb)) ?? []
  if (what === undefined || done === undefined || (done === 'look up' && place === undefined)) return undefined
  const named = place === 'dns-zone' ? zonesNamed(about, zones).find(({ kind }) => kind === 'dns')?.zoneId : undefined
  const url = panel(place ?? 'dns-zone', place && readId(named ?? about))
  return md`CDN Ops can’t ${done} ${what}; ${url === undefined ? md`the panel` : link(url, 'the panel')} can.`
}
