/**
 * One request the CDN answered, the same from both versions of the logging interface. What a version does not carry,
 * the platform left out, or the allow-list of the dialect holds back, is undefined.
 *
 * Query values in `url`, `path` and `referer`, and of any address in `userAgent`, are already masked; the raw ones never leave this folder, nor does an
 * `authorizationHeader`. `remoteIp` is for display only where addresses were asked for. All text is untrusted.
 */
export interface LogEntry {
  /** One of the contract's cache statuses, or another: the list grows. `-` means no cache was involved. */
  readonly cacheStatus?: string | undefined
  readonly timestamp?: Date | undefined
  readonly statusCode?: number | undefined
  /** Headers and body, in bytes. */
  readonly bytesSent?: bigint | undefined
  readonly pullZoneId?: bigint | undefined
  /** 32 hexadecimal digits where known; what duplicates are recognised by. */
  readonly requestId?: string | undefined
  readonly remoteIp?: string | undefined
  readonly countryCode?: string | undefined
  readonly edgeLocation?: string | undefined
  readonly scheme?: string | undefined
  readonly host?: string | undefined
  readonly path?: string | undefined
  readonly url?: string | undefined
  readonly userAgent?: string | undefined
  readonly referer?: string | undefined
  readonly ja4Fingerprint?: string | undefined
  readonly asn?: bigint | undefined
  readonly asnOrganization?: string | undefined
  readonly bodyBytesSent?: bigint | undefined
  readonly contentRange?: string | undefined
}

export type LogField = keyof LogEntry

/** Every field an entry may have. There is no way to add `authorizationHeader` to it by configuration. */
export const LOG_FIELDS = [
  'cacheStatus',
  'timestamp',
  'statusCode',
  'bytesSent',
  'pullZoneId',
  'requestId',
  'remoteIp',
  'countryCode',
  'edgeLocation',
  'scheme',
  'host',
  'path',
  'url',
  'userAgent',
  'referer',
  'ja4Fingerprint',
  'asn',
  'asnOrganization',
  'bodyBytesSent',
  'contentRange',
] as const satisfies readonly LogField[]
