import { CdnClient } from './cdn/client.ts'
import { defaultDialect } from './cdn/dialect.ts'
import { LogLimit } from './cdn/log-limit.ts'
import type { ClockWatch } from './clock-watch.ts'
import type { Settings } from './config.ts'
import type { Metrics } from './metrics.ts'
import type { Clock } from './shared/clock.ts'

/** The one client of the platform, with the credential and the dialect of the settings. Throws TypeError without one. */
export function connectPlatform(
  { settings, clock }: { readonly settings: Settings; readonly clock: Clock },
  metrics: Metrics,
  clockWatch: Pick<ClockWatch, 'heard'>,
): CdnClient {
  const { CDN_API_KEY: key, CDN_BEARER_TOKEN: token } = settings
  const secret = key ?? token
  if (secret === undefined) throw new TypeError('The settings hold no credential')
  return new CdnClient({
    managementUrl: settings.CDN_API_URL.href,
    loggingUrl: settings.CDN_LOGGING_URL.href,
    credential: { scheme: key === undefined ? 'bearer' : 'accessKey', secret },
    clock,
    limiter: new LogLimit({ clock }),
    dialect: {
      ...defaultDialect,
      dayFilePath: settings.CDN_V1_PATH,
      pageStep: settings.CDN_V2_PAGING,
      logFields: settings.CDN_LOG_FIELDS,
      fieldAliases: settings.CDN_FIELD_ALIASES,
    },
    onCall: (report) => metrics.call(report),
    onDate: (header, askedAtMs) => clockWatch.heard('platform', header, askedAtMs),
    onUnknownFields: (endpoint, names) => metrics.unknownFields(endpoint, names.length),
  })
}
