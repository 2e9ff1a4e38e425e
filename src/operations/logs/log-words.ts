import { maskUrl, maskUrlsIn } from '../../cdn/mask-url.ts'
import { zoneLabel } from '../zone-field.ts'
import { cacheWord, type LogQuestion } from './log-fields.ts'
import { DEFAULT_CACHE_STATUSES, usesDefaultCache } from './log-request.ts'

/** The filters of a question, each in a few words that may hold foreign text. Query values are masked here as well. */
export function filterWords(question: LogQuestion): readonly string[] {
  const { cache, status, url, ip, country, edge, agent, referer, search, request, shield } = question
  const said = (label: string, value: string | undefined): readonly string[] =>
    value === undefined || value === '' ? [] : [`${label} ${value}`]
  return [
    ...(usesDefaultCache(question) ? [`cache ${DEFAULT_CACHE_STATUSES.join(', ')} (the default)`] : []),
    ...(cache?.length === 0 ? ['every cache status'] : said('cache', cache?.map(cacheWord).join(', '))),
    ...said('status', status?.join(', ')),
    ...said('URL contains', url && maskUrl(url)),
    ...said('client address', ip === 'all' ? undefined : ip),
    ...said('country', country?.join(', ')),
    ...said('edge', edge),
    ...said('agent contains', agent && maskUrlsIn(agent)),
    ...said('referer contains', referer && maskUrl(referer)),
    ...said('any of the words', search && maskUrl(search)),
    ...said('request', request),
    ...(shield === true ? ['with requests to the origin shield'] : []),
  ]
}

/** The question in one sentence for the audit log. A client address is personal, so it is not repeated there. */
export function questionSentence(question: LogQuestion): string {
  const { pullZone, day, since, until, ip } = question
  const quiet = { ...question, ip: ip === undefined || ip === 'all' ? ip : 'given' }
  const range = [
    ...(day === undefined ? [] : [`day ${day.toISOString().slice(0, 10)}`]),
    ...(since === undefined ? [] : [`since ${since.toISOString()}`]),
    ...(until === undefined ? [] : [`until ${until.toISOString()}`]),
  ]
  return `Read the log of pull zone ${zoneLabel(pullZone)}: ${[...range, ...filterWords(quiet)].join('; ')}`
}
