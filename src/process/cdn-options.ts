import type { CdnClientOptions } from '../cdn/client.ts'
import { defaultDialect } from '../cdn/contract/dialect.ts'
import type { Settings } from '../config/settings.ts'

/** Where the CDN is, with what it is called, and what it does that its contract leaves open, by the settings. */
export function cdnOptions(
  settings: Settings,
): Pick<CdnClientOptions, 'managementUrl' | 'loggingUrl' | 'credential' | 'dialect'> {
  return {
    managementUrl: settings.CDN_API_URL.href,
    loggingUrl: settings.CDN_LOGGING_URL.href,
    credential: credentialOf(settings),
    dialect: {
      ...defaultDialect,
      dayFilePath: settings.CDN_V1_PATH,
      pageStep: settings.CDN_V2_PAGING,
      logFields: settings.CDN_LOG_FIELDS,
      fieldAliases: settings.CDN_FIELD_ALIASES,
    },
  }
}

/** Settings are read with just one of the two in them. */
function credentialOf({ CDN_API_KEY: key, CDN_BEARER_TOKEN: token }: Settings) {
  const secret = key ?? token
  if (secret === undefined) throw new TypeError('The settings hold no credential')
  return { scheme: key === undefined ? 'bearer' : 'accessKey', secret } as const
}
