import { DRM_VERSIONS, ENCODING_TIERS } from '../../cdn/dialect.ts'
import { turnsTranscribingOn, type VideoLibraryRequest, videoLibraryWarnings } from '../../cdn/video-library.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Review } from '../operation.ts'
import type { Effect } from '../role.ts'
import { languageLabel, type LibraryInput, regionLabel } from './library-fields.ts'
import { givenRequest, libraryRequest } from './library-request.ts'
import { PULL_ZONE_TYPES } from '../../cdn/enums.ts'
import { fieldInWords, type FieldWords, numbered, said } from '../stored-fields.ts'

const MAX_NAME_IN_SENTENCE = 80
/** A person confirms what is sent, so nothing of it is cut here: no value may be longer. */
const MAX_VALUE_IN_REVIEW = 300
const KNOWN_PLAYERS: ReadonlySet<number> = new Set([1, 2])

/** Billed or irreversible as soon as one thing in it is; a plain library is a plain write. */
export function libraryEffect(input: Partial<LibraryInput>): Effect {
  const request = libraryRequest(input)
  const grave = libraryCosts(request).length > 0 || request.JitEncodingEnabled === true
  return grave ? 'billed or irreversible' : 'write'
}

export function librarySentence(input: LibraryInput): string {
  const { replicationRegions = [] } = input
  const request = libraryRequest(input)
  const grave = [
    ...(input.encodingTier === 'Premium' ? ['premium encoding'] : []),
    ...(request.JitEncodingEnabled === true ? ['JIT encoding'] : []),
    ...(request.EnableTranscribing === true ? ['transcribing'] : []),
    ...(replicationRegions.length > 0 ? [`replicas in ${replicationRegions.join(', ')}`] : []),
  ]
  return `Create the video library “${shortName(input)}”${grave.length === 0 ? '' : ` with ${grave.join(', ')}`}`
}

export function libraryReview(input: LibraryInput): Review {
  const request = libraryRequest(input)
  return {
    sentence: librarySentence(input),
    request: Object.entries(request).map(
      ([field, value]) => [field, libraryWords(field, value, MAX_VALUE_IN_REVIEW)] as const,
    ),
    notes: [...transcribingNotes(input), 'Fields that are not listed are left to the platform.'],
    warnings: libraryWarnings(request),
    costs: libraryCosts(request),
    irreversible: libraryIrreversible(request),
    panel: undefined, // The library has no page before it exists.
  }
}

export function libraryLookFor(input: LibraryInput): string {
  return (
    `Look in the platform's panel for a video library named “${shortName(input)}”. If it is there, it was created, with ` +
    'a storage zone and a pull zone of its own. If not, create it again: creating one that exists makes a second of the same name.'
  )
}

function transcribingNotes(input: LibraryInput): readonly string[] {
  if (!turnsTranscribingOn(givenRequest(input))) return []
  const flags = [
    ...(input.titleGeneration === true ? ['titles'] : []),
    ...(input.descriptionGeneration === true ? ['descriptions'] : []),
    ...(input.chaptersGeneration === true ? ['chapters'] : []),
    ...(input.momentsGeneration === true ? ['moments'] : []),
  ]
  return [`Transcribing is turned on, because generating ${flags.join(', ')} needs it.`]
}

function libraryWarnings(request: VideoLibraryRequest): readonly string[] {
  const { PlayerVersion, EnableTranscribing, TranscribingCaptionLanguages } = request
  const languages = TranscribingCaptionLanguages ?? []
  return [
    ...videoLibraryWarnings(request).map(({ message }) => message),
    ...(languages.length > 0 && EnableTranscribing !== true
      ? ['Caption languages count only with transcribing on, and it is not turned on here.']
      : []),
    ...(typeof PlayerVersion === 'number' && !KNOWN_PLAYERS.has(PlayerVersion)
      ? [`Player version ${PlayerVersion} is not known here; 1 and 2 are.`]
      : []),
  ]
}

function shortName({ name }: LibraryInput): string {
  return visible(name, MAX_NAME_IN_SENTENCE)
}

/**
 * What the platform bills for a library like this, one sentence each. Prices are the platform's and change without
 * notice, so none is named: a number here would be believed long after it was true.
 */
function libraryCosts(request: VideoLibraryRequest): readonly string[] {
  return [...encodingCosts(request), ...transcribingCosts(request), ...regionCosts(request)]
}

function libraryIrreversible(request: VideoLibraryRequest): readonly string[] {
  const regions = request.ReplicationRegions ?? []
  return [
    'This creates a video library with a storage zone and a pull zone of its own; CDN Ops cannot change or remove them.',
    ...(regions.length > 0
      ? [`Replication regions cannot be removed later: ${regions.map(regionLabel).join(', ')}.`]
      : []),
    ...(request.AllowEarlyPlay === true
      ? ['Early play also exposes the original files through the CDN; what was fetched meanwhile cannot be taken back.']
      : []),
  ]
}

function encodingCosts({ EncodingTier, OutputCodecs, JitEncodingEnabled }: VideoLibraryRequest): readonly string[] {
  if (EncodingTier !== ENCODING_TIERS.Premium) return []
  const codecs = (OutputCodecs ?? '').split(',').filter((codec) => codec !== '')
  const which = codecs.length === 0 ? 'the codecs the platform chooses' : codecs.join(', ')
  return [
    `Premium encoding is billed by the minute of video and by codec: ${which}.`,
    ...(JitEncodingEnabled === true ? ['JIT encoding is part of premium encoding and is billed with it.'] : []),
  ]
}

function transcribingCosts(request: VideoLibraryRequest): readonly string[] {
  if (request.EnableTranscribing !== true) return []
  const languages = request.TranscribingCaptionLanguages ?? []
  const which = languages.length === 0 ? 'those the platform chooses' : languages.map(languageLabel).join(', ')
  return [`Transcribing is billed by the minute and by language: ${which}.`]
}

function regionCosts({ ReplicationRegions }: VideoLibraryRequest): readonly string[] {
  const regions = ReplicationRegions ?? []
  if (regions.length === 0) return []
  return [
    `Each replication region holds a further copy of every file, billed as storage: ${regions.map(regionLabel).join(', ')}.`,
  ]
}

export const LIBRARY_WORDS: FieldWords = {
  EncodingTier: numbered(ENCODING_TIERS),
  DrmVersion: numbered(DRM_VERSIONS),
  PullZoneType: numbered(PULL_ZONE_TYPES),
  ReplicationRegions: coded(regionLabel),
  TranscribingCaptionLanguages: coded(languageLabel),
}

export function libraryWords(field: string, value: unknown, maxCodePoints?: number): string {
  return fieldInWords(LIBRARY_WORDS, field, value, maxCodePoints)
}

function coded(label: (code: string) => string): (value: unknown) => string {
  return (value) => {
    if (!Array.isArray(value) || value.length === 0) return said(value)
    return value.map((code) => label(said(code))).join(', ')
  }
}
