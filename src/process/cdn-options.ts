import type { CdnClientOptions } from '../cdn/client.ts'
import { defaultDialect } from '../cdn/contract/dialect.ts'
import type { Settings } from '../config/settings.ts'

/** Where the CDN is, with what it is called, and what it does that its contract leaves open, by the settings. */
export function cdnOptions(
  settings: Settings,
): Pick<CdnClientOptions, 'managementUrl' | 'loggingUrl' | 'credential' | 'dialect'> {
  // Settings are read with just one of the two in them.
  const { CDN_API_KEY: key, CDN_BEARER_TOKEN: token } = settings
  const secret = key ?? token
  if (secret === undefined) throw new TypeError('The settings hold no credential')
  return {
    managementUrl: settings.CDN_API_URL.href,
    loggingUrl: settings.CDN_LOGGING_URL.href,
    credential: { scheme: key === undefined ? 'bearer' : 'accessKey', secret },
    dialect: {
      ...defaultDialect,
      dayFilePath: settings.CDN_V1_PATH,
      pageStep: settings.CDN_V2_PAGING,
      logFields: settings.CDN_LOG_FIELDS,
      fieldAliases: settings.CDN_FIELD_ALIASES,
    },
  }
}
