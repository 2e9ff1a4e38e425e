import * as z from 'zod'
import { ENCODING_TIERS, MAIN_REGION, OUTPUT_CODECS, REPLICATION_REGIONS, TRANSCRIBING_LANGUAGES } from './dialect.ts'
import { issuesOf, type RequestIssue } from './request-rules.ts'
import { int32 } from './wire-fields.ts'

/** The resolutions a library can encode to, as the contract lists them. */
export const RESOLUTIONS = ['240p', '360p', '480p', '720p', '1080p', '1440p', '2160p'] as const

/** The codec of the free tier; all others need the premium one. */
const FREE_CODEC = 'x264'

/** The flags of which each turns transcribing on. */
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
const flag = z.boolean().nullish()

const fields = z.strictObject({
  Name: z.string(NAME_RULE).min(1, NAME_RULE),
  ReplicationRegions: codes.nullish(),
  PlayerVersion: int32.nullish(),
  EncodingTier: z.literal(Object.values(ENCODING_TIERS), 'The encoding tier is 0 (free) or 1 (premium).').optional(),
  JitEncodingEnabled: flag,
  OutputCodecs: z.string().nullish(),
  EnabledResolutions: z.string().nullish(),
  BlockNoneReferrer: flag,
  EnableMP4Fallback: flag,
  KeepOriginalFiles: flag,
  AllowDirectPlay: flag,
  EnableMultiAudioTrackSupport: flag,
  EnableTranscribing: flag,
  TranscribingCaptionLanguages: codes.nullish(),
  EnableTranscribingTitleGeneration: flag,
  EnableTranscribingDescriptionGeneration: flag,
  EnableTranscribingChaptersGeneration: flag,
  EnableTranscribingMomentsGeneration: flag,
  AllowEarlyPlay: flag,
})

/** What is sent to create a video library: the contract's 19 fields and every rule it states about them. */
export const VideoLibraryRequest = fields.superRefine((request, context) => {
  for (const { field, message } of [...encodingIssues(request), ...transcribingIssues(request)]) {
    context.addIssue({ code: 'custom', path: [field], message })
  }
})
export type VideoLibraryRequest = Readonly<z.input<typeof fields>>

/** Every stated rule the request breaks, by field. The client refuses to send a request that breaks one. */
export function checkVideoLibraryRequest(request: unknown): readonly RequestIssue[] {
  return issuesOf(VideoLibraryRequest, request)
}

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
  return isUnset(request.EnableTranscribing) && GENERATION_FLAGS.some((name) => request[name] === true)
}

/**
 * What is known only from outside the contract and therefore does not stop a request: codes the platform may not
 * know, and combinations it is known to ignore.
 */
export function videoLibraryWarnings(request: VideoLibraryRequest): readonly RequestIssue[] {
  const warnings: RequestIssue[] = []
  for (const region of request.ReplicationRegions ?? []) {
    if (region === MAIN_REGION) {
      warnings.push({
        field: 'ReplicationRegions',
        message: `${region} is the main region, always used, not a replica.`,
      })
    } else if (!REPLICATION_REGIONS.includes(region)) {
      warnings.push({ field: 'ReplicationRegions', message: `${region} is not a replication region known here.` })
    }
  }
  for (const language of request.TranscribingCaptionLanguages ?? []) {
    if (TRANSCRIBING_LANGUAGES.includes(language)) continue
    warnings.push({
      field: 'TranscribingCaptionLanguages',
      message: `${language} is not a caption language known here.`,
    })
  }
  if (request.JitEncodingEnabled === true && request.AllowEarlyPlay === true) {
    warnings.push({ field: 'AllowEarlyPlay', message: 'Early play is known to stay off while JIT encoding is on.' })
  }
  return warnings
}

/** The parts of a comma-separated list, trimmed, empty ones kept so that they can be refused. */
export function csvParts(csv: string): readonly string[] {
  return csv.split(',').map((part) => part.trim())
}

function encodingIssues(request: z.output<typeof fields>): readonly RequestIssue[] {
  const issues: RequestIssue[] = []
  const premium = request.EncodingTier === ENCODING_TIERS.Premium
  if (request.JitEncodingEnabled === true && !premium) {
    issues.push({
      field: 'JitEncodingEnabled',
      message: 'JIT encoding is supported in the premium encoding tier only.',
    })
  }
  if (!isUnset(request.EnabledResolutions)) issues.push(...resolutionIssues(request.EnabledResolutions))
  if (!isUnset(request.OutputCodecs)) issues.push(...codecIssues(request.OutputCodecs, premium))
  return issues
}

function resolutionIssues(csv: string): readonly RequestIssue[] {
  const field = 'EnabledResolutions'
  if (csv.trim() === '') return [{ field, message: 'At least one resolution must be enabled.' }]
  const allowed: readonly string[] = RESOLUTIONS
  return csvParts(csv)
    .filter((part) => !allowed.includes(part))
    .map((part) => ({ field, message: `${quoted(part)} is not a resolution; allowed are ${RESOLUTIONS.join(', ')}.` }))
}

function codecIssues(csv: string, premium: boolean): readonly RequestIssue[] {
  const field = 'OutputCodecs'
  const codecs: readonly string[] = OUTPUT_CODECS
  return csvParts(csv).flatMap((part) => {
    if (!codecs.includes(part)) {
      return [{ field, message: `${quoted(part)} is not a codec; allowed are ${OUTPUT_CODECS.join(', ')}.` }]
    }
    if (part === FREE_CODEC || premium) return []
    return [{ field, message: `The free encoding tier supports only x264; ${part} needs the premium tier.` }]
  })
}

function transcribingIssues(request: z.output<typeof fields>): readonly RequestIssue[] {
  if (request.EnableTranscribing !== false) return []
  return GENERATION_FLAGS.filter((name) => request[name] === true).map((field) => ({
    field,
    message: 'Generation turns transcribing on, but transcribing was turned off. Leave one of the two out.',
  }))
}

function isUnset(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

function quoted(part: string): string {
  return `“${part}”`
}
