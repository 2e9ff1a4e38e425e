import * as z from 'zod'
import { REPLICATION_REGIONS } from '../../cdn/dialect.ts'
import { readBody } from './body-problem.ts'
import { invalidField } from './refusal.ts'

const PREMIUM_TIER = 1
const FREE_CODECS = ['x264']
const CODECS = [...FREE_CODECS, 'vp9', 'hevc', 'av1']
const RESOLUTIONS = ['240p', '360p', '480p', '720p', '1080p', '1440p', '2160p']
const GENERATION_FLAGS = [
  'EnableTranscribingTitleGeneration',
  'EnableTranscribingDescriptionGeneration',
  'EnableTranscribingChaptersGeneration',
  'EnableTranscribingMomentsGeneration',
] as const

const flag = z.boolean().nullish()
const texts = z.array(z.string()).nullish()

/** The contract's fields, transcribed a second time: the client's transcription is what is being tested. */
const Request = z.strictObject({
  Name: z.string('The library name is required.').min(1, 'The library name is required.'),
  ReplicationRegions: texts,
  PlayerVersion: z.int32().nullish(),
  EncodingTier: z.literal([0, 1], 'The encoding tier is not valid.').optional(),
  JitEncodingEnabled: flag,
  OutputCodecs: z.string().nullish(),
  EnabledResolutions: z.string().nullish(),
  BlockNoneReferrer: flag,
  EnableMP4Fallback: flag,
  KeepOriginalFiles: flag,
  AllowDirectPlay: flag,
  EnableMultiAudioTrackSupport: flag,
  EnableTranscribing: flag,
  TranscribingCaptionLanguages: texts,
  EnableTranscribingTitleGeneration: flag,
  EnableTranscribingDescriptionGeneration: flag,
  EnableTranscribingChaptersGeneration: flag,
  EnableTranscribingMomentsGeneration: flag,
  AllowEarlyPlay: flag,
})
export type LibraryRequest = z.output<typeof Request>

/** Reads a library request and holds it against every rule the contract states. Throws `Refusal` with the first broken. */
export function readLibraryRequest(body: unknown): LibraryRequest {
  const request = readBody(Request, body)
  const premium = request.EncodingTier === PREMIUM_TIER
  if (request.JitEncodingEnabled === true && !premium) {
    throw invalidField('JitEncodingEnabled', 'JIT encoding needs the premium encoding tier.')
  }
  requireItems('OutputCodecs', request.OutputCodecs, premium ? CODECS : FREE_CODECS)
  requireItems('EnabledResolutions', request.EnabledResolutions, RESOLUTIONS)
  if (request.ReplicationRegions?.every((region) => REPLICATION_REGIONS.includes(region)) === false) {
    throw invalidField('ReplicationRegions', 'A replication region is not valid.')
  }
  return request
}

/** Any of the four generation flags turns transcribing on, whatever the request says about it. */
export function transcribes(request: LibraryRequest): boolean {
  return request.EnableTranscribing === true || GENERATION_FLAGS.some((name) => request[name] === true)
}

function requireItems(field: string, csv: string | null | undefined, allowed: readonly string[]): void {
  if (csv === null || csv === undefined) return
  if (csv.split(',').some((item) => !allowed.includes(item))) {
    throw invalidField(field, `${field} must hold at least one of ${allowed.join(', ')}, separated by commas.`)
  }
}
