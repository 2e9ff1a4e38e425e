import * as z from 'zod'
import { decimal, flag, instant, int32, int64, maybe, secret, text, texts } from './wire-fields.ts'
import { ENCODING_TIERS, OUTPUT_CODECS, REPLICATION_REGIONS, TRANSCRIBING_LANGUAGES } from './dialect.ts'

const drmFields = {
  Enabled: maybe(flag),
  CertificateId: maybe(int64),
  CertificateExpirationDate: maybe(instant),
  Provider: maybe(text),
}

export const FirstVendorDrm = z.object(drmFields)

export const SecondVendorDrm = z.object({ ...drmFields, SdOnlyForL3: maybe(flag) })

/**
 * A video library as the platform describes it after creation, in the contract's order. Only the id is certain. The
 * three keys are `Secret`; `VideoCount` and the usages are int64; charges and overrides are decimal amounts.
 */
export const VideoLibrary = z.object({
  Id: int64,
  Name: maybe(text),
  VideoCount: maybe(int64),
  TrafficUsage: maybe(int64),
  StorageUsage: maybe(int64),
  DateCreated: maybe(instant),
  DateModified: maybe(instant),
  ReplicationRegions: maybe(texts),
  ApiKey: maybe(secret),
  ReadOnlyApiKey: maybe(secret),
  HasWatermark: maybe(flag),
  WatermarkPositionLeft: maybe(int32),
  WatermarkPositionTop: maybe(int32),
  WatermarkWidth: maybe(int32),
  WatermarkHeight: maybe(int32),
  WatermarkVersion: maybe(int64),
  PullZoneId: maybe(int64),
  StorageZoneId: maybe(int64),
  PullZoneType: maybe(int32),
  EnabledResolutions: maybe(text),
  AdPartnerPublisherId: maybe(text),
  VastTagUrl: maybe(text),
  WebhookUrl: maybe(text),
  CaptionsFontSize: maybe(int32),
  CaptionsFontColor: maybe(text),
  CaptionsBackground: maybe(text),
  FontFamily: maybe(text),
  UILanguage: maybe(text),
  AllowEarlyPlay: maybe(flag),
  PlayerTokenAuthenticationEnabled: maybe(flag),
  AllowedReferrers: maybe(texts),
  BlockedReferrers: maybe(texts),
  BlockNoneReferrer: maybe(flag),
  EnableMP4Fallback: maybe(flag),
  KeepOriginalFiles: maybe(flag),
  AllowDirectPlay: maybe(flag),
  EnableDRM: maybe(flag),
  DrmVersion: maybe(int32),
  FirstVendorDrm: maybe(FirstVendorDrm),
  SecondVendorDrm: maybe(SecondVendorDrm),
  Bitrate240p: maybe(int32),
  Bitrate360p: maybe(int32),
  Bitrate480p: maybe(int32),
  Bitrate720p: maybe(int32),
  Bitrate1080p: maybe(int32),
  Bitrate1440p: maybe(int32),
  Bitrate2160p: maybe(int32),
  ApiAccessKey: maybe(secret),
  ShowHeatmap: maybe(flag),
  EnableContentTagging: maybe(flag),
  CustomHTML: maybe(text),
  Controls: maybe(text),
  PlaybackSpeeds: maybe(text),
  PlayerKeyColor: maybe(text),
  EnableTranscribing: maybe(flag),
  EnableTranscribingTitleGeneration: maybe(flag),
  EnableTranscribingDescriptionGeneration: maybe(flag),
  EnableTranscribingChaptersGeneration: maybe(flag),
  EnableTranscribingMomentsGeneration: maybe(flag),
  TranscribingCaptionLanguages: maybe(texts),
  EnableCaptionsInPlaylist: maybe(flag),
  RememberPlayerPosition: maybe(flag),
  EnableMultiAudioTrackSupport: maybe(flag),
  UseSeparateAudioStream: maybe(flag),
  JitEncodingEnabled: maybe(flag),
  EncodingTier: maybe(int32),
  OutputCodecs: maybe(text),
  DrmBasePriceOverride: maybe(decimal),
  DrmCostPerLicenseOverride: maybe(decimal),
  TranscribingPriceOverride: maybe(decimal),
  PremiumEncodingPriceOverride: maybe(decimal),
  MonthlyChargesTranscribing: maybe(decimal),
  MonthlyChargesPremiumEncoding: maybe(decimal),
  MonthlyChargesEnterpriseDrm: maybe(decimal),
  FeatureFlags: maybe(text),
  PlayerVersion: maybe(int32),
  RemoveMetadataFromFallbackVideos: maybe(flag),
  ScaleVideoUsingBothDimensions: maybe(flag),
  ExposeOriginals: maybe(flag),
  ExposeVideoMetadata: maybe(flag),
  EnableCompactControls: maybe(flag),
})
export type VideoLibrary = Readonly<z.output<typeof VideoLibrary>>

export const RESOLUTIONS = ['240p', '360p', '480p', '720p', '1080p', '1440p', '2160p'] as const

/** The codec of the free tier; all others need the premium one. */
const FREE_CODEC = 'x264'

export const GENERATION_FLAGS = [
  'EnableTranscribingTitleGeneration',
  'EnableTranscribingDescriptionGeneration',
  'EnableTranscribingChaptersGeneration',
  'EnableTranscribingMomentsGeneration',
] as const

const NAME_RULE = 'A video library needs a name of at least 1 character.'
const MAX_CODES = 200
const code = z.string().regex(/^[A-Za-z]{2,8}(-[A-Za-z]{2,8})?$/, 'Codes are letters, such as NY or en.')
const codes = z.array(code).max(MAX_CODES).readonly()
const maybeFlag = flag.nullish()

const fields = z.strictObject({
  Name: z.string(NAME_RULE).min(1, NAME_RULE),
  ReplicationRegions: codes.nullish(),
  PlayerVersion: int32.nullish(),
  EncodingTier: z.literal(Object.values(ENCODING_TIERS), 'The encoding tier is 0 (free) or 1 (premium).').optional(),
  JitEncodingEnabled: maybeFlag,
  OutputCodecs: z.string().nullish(),
  EnabledResolutions: z.string().nullish(),
  BlockNoneReferrer: maybeFlag,
  EnableMP4Fallback: maybeFlag,
  KeepOriginalFiles: maybeFlag,
  AllowDirectPlay: maybeFlag,
  EnableMultiAudioTrackSupport: maybeFlag,
  EnableTranscribing: maybeFlag,
  TranscribingCaptionLanguages: codes.nullish(),
  EnableTranscribingTitleGeneration: maybeFlag,
  EnableTranscribingDescriptionGeneration: maybeFlag,
  EnableTranscribingChaptersGeneration: maybeFlag,
  EnableTranscribingMomentsGeneration: maybeFlag,
  AllowEarlyPlay: maybeFlag,
})

/** What is sent to create a video library: the contract's 19 fields and every rule it states about them. */
export const VideoLibraryRequest = fields.superRefine((request, context) => {
  const { JitEncodingEnabled, EnabledResolutions, OutputCodecs } = request
  const isPremium = request.EncodingTier === ENCODING_TIERS.Premium
  const refuse = (field: keyof typeof request, message: string): void =>
    context.addIssue({ code: 'custom', path: [field], message })
  if (JitEncodingEnabled === true && !isPremium)
    refuse('JitEncodingEnabled', 'JIT encoding is supported in the premium encoding tier only.')
  if (EnabledResolutions?.trim() === '') refuse('EnabledResolutions', 'At least one resolution must be enabled.')
  else
    for (const part of csvParts(EnabledResolutions).filter((each) => !isOneOf(each, RESOLUTIONS)))
      refuse('EnabledResolutions', `“${part}” is not a resolution; allowed are ${RESOLUTIONS.join(', ')}.`)
  for (const part of csvParts(OutputCodecs)) {
    if (!isOneOf(part, OUTPUT_CODECS))
      refuse('OutputCodecs', `“${part}” is not a codec; allowed are ${OUTPUT_CODECS.join(', ')}.`)
    else if (part !== FREE_CODEC && !isPremium)
      refuse('OutputCodecs', `The free encoding tier supports only x264; ${part} needs the premium tier.`)
  }
  for (const flag of GENERATION_FLAGS.filter((name) => request.EnableTranscribing === false && request[name] === true))
    refuse(flag, 'Generation turns transcribing on, but transcribing was turned off. Leave one of the two out.')
})
export type VideoLibraryRequest = Readonly<z.input<typeof fields>>

/**
 * The request as it is sent: without what was not given, and with transcribing on when a generation flag turns it on.
 * The platform would do the latter by itself; sending it makes visible what happens.
 */
export function completeVideoLibraryRequest(request: VideoLibraryRequest): VideoLibraryRequest {
  const given = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined))
  const transcribing = turnsTranscribingOn(request) ? { EnableTranscribing: true } : {}
  return { ...given, Name: request.Name, ...transcribing }
}

/** Whether transcribing goes on only because a generation flag is on, which the person should be told. */
export function turnsTranscribingOn(request: VideoLibraryRequest): boolean {
  const { EnableTranscribing = null } = request
  return EnableTranscribing === null && GENERATION_FLAGS.some((name) => request[name] === true)
}

/**
 * What is known only from outside the contract and therefore does not stop a request: codes the platform may not
 * know, and combinations it is known to ignore.
 */
export function videoLibraryWarnings(request: VideoLibraryRequest): readonly string[] {
  const { ReplicationRegions, TranscribingCaptionLanguages, JitEncodingEnabled, AllowEarlyPlay } = request
  const regions = (ReplicationRegions ?? []).filter((region) => !REPLICATION_REGIONS.includes(region))
  const languages = (TranscribingCaptionLanguages ?? []).filter((each) => !TRANSCRIBING_LANGUAGES.includes(each))
  const isLate = JitEncodingEnabled === true && AllowEarlyPlay === true
  return [
    ...regions.map((region) => `${region} is not a replication region known here.`),
    ...languages.map((language) => `${language} is not a caption language known here.`),
    ...(isLate ? ['Early play is known to stay off while JIT encoding is on.'] : []),
  ]
}

export function csvParts(csv: string | null | undefined): readonly string[] {
  return csv?.split(',').map((part) => part.trim()) ?? []
}

function isOneOf(part: string, allowed: readonly string[]): boolean {
  return allowed.includes(part)
}
