/** What any answer's JSON may hold, for reading in tests. Nothing is promised: what a test needs, it checks. */
export interface WireBody {
  readonly [field: string]: unknown
  readonly ErrorKey: string
  readonly error: { readonly code: string; readonly message: string; readonly details: readonly string[] }
  readonly StorageUsedChart: Readonly<Record<string, unknown>>
  readonly FileCountChart: Readonly<Record<string, unknown>>
  readonly Items: readonly { readonly Id: unknown; readonly Key: string | null; readonly Roles: unknown }[]
  readonly data: readonly LogRow[]
  readonly pagination: { readonly hasMore: boolean; readonly returned: number }
}

export interface LogRow {
  readonly timestamp: string
  readonly requestId: string
  readonly cacheStatus: string
  readonly statusCode: number
  readonly bytesSent: number
  readonly remoteIp: string
  readonly countryCode?: string | null
  readonly edgeLocation: string
  readonly host: string
  readonly path: string
  readonly url: string
  readonly userAgent?: string | null
  readonly referer?: string | null
  readonly bodyBytesSent?: number | null
  readonly contentRange?: string | null
  readonly authorizationHeader?: string | null
}
