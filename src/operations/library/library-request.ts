import { ENCODING_TIERS } from '../../cdn/dialect.ts'
import {
  checkVideoLibraryRequest,
  completeVideoLibraryRequest,
  type VideoLibraryRequest,
} from '../../cdn/video-library.ts'
import type { Issue } from '../operation.ts'
import type { LibraryInput } from './library-fields.ts'

type FieldName = keyof LibraryInput

export const LIBRARY_REQUEST_NAMES = {
  name: 'Name',
  replicationRegions: 'ReplicationRegions',
  playerVersion: 'PlayerVersion',
  encodingTier: 'EncodingTier',
  jitEncoding: 'JitEncodingEnabled',
  outputCodecs: 'OutputCodecs',
  resolutions: 'EnabledResolutions',
  blockNoneReferrer: 'BlockNoneReferrer',
  mp4Fallback: 'EnableMP4Fallback',
  keepOriginalFiles: 'KeepOriginalFiles',
  allowDirectPlay: 'AllowDirectPlay',
  multiAudioTrack: 'EnableMultiAudioTrackSupport',
  transcribing: 'EnableTranscribing',
  captionLanguages: 'TranscribingCaptionLanguages',
  titleGeneration: 'EnableTranscribingTitleGeneration',
  descriptionGeneration: 'EnableTranscribingDescriptionGeneration',
  chaptersGeneration: 'EnableTranscribingChaptersGeneration',
  momentsGeneration: 'EnableTranscribingMomentsGeneration',
  allowEarlyPlay: 'AllowEarlyPlay',
} as const satisfies Readonly<Record<FieldName, keyof VideoLibraryRequest>>

/** The body as it was asked for: only what was given, lists of codecs and resolutions comma-separated. */
export function givenRequest(input: Partial<LibraryInput>): VideoLibraryRequest {
  const { encodingTier, outputCodecs, resolutions } = input
  const converted: Readonly<Record<string, unknown>> = {
    ...input,
    encodingTier: encodingTier === undefined ? undefined : ENCODING_TIERS[encodingTier],
    outputCodecs: outputCodecs?.join(','),
    resolutions: resolutions?.join(','),
  }
  const sent = Object.entries(LIBRARY_REQUEST_NAMES).map(([field, name]) => [name, converted[field]] as const)
  return { Name: input.name ?? '', ...Object.fromEntries(sent.filter(([, value]) => value !== undefined)) }
}

/** The body as it is sent: what was given, and transcribing on where a generation flag turns it on. */
export function libraryRequest(input: Partial<LibraryInput>): VideoLibraryRequest {
  return completeVideoLibraryRequest(givenRequest(input))
}

/** Every stated rule that what was given breaks, under the names the inputs have. A name not yet given breaks none. */
export function libraryIssues(input: Partial<LibraryInput>): readonly Issue[] {
  return checkVideoLibraryRequest(givenRequest(input))
    .map(({ field, message }) => ({ field: inputNamed(field), problem: message }))
    .filter(({ field }) => field !== 'name' || input.name !== undefined)
}

function inputNamed(requestField: string): string | undefined {
  const name = requestField.split('.')[0]
  return Object.entries(LIBRARY_REQUEST_NAMES).find(([, sent]) => sent === name)?.[0]
}
