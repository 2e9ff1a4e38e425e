import { DRM_VERSIONS, ENCODING_TIERS } from '../../cdn/contract/dialect.ts'
import {
  turnsTranscribingOn,
  type VideoLibraryRequest,
  videoLibraryWarnings,
} from '../../cdn/contract/video-library.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Review } from '../declaration/operation.ts'
import type { WriteEffect } from '../declaration/role.ts'
import {
  givenRequest,
  libraryLabel,
  libraryRequest,
  languageLabel,
  type LibraryInput,
  regionLabel,
} from './library-fields.ts'
import { PULL_ZONE_TYPES } from '../../cdn/contract/enums.ts'
import { fieldInWords, type FieldWords, named, numbered, said } from '../declaration/stored-fields.ts'

const MAX_NAME_IN_SENTENCE = 80
/** A person confirms what is sent, so nothing of it is cut here: no value may be longer. */
const MAX_VALUE_IN_REVIEW = 300
const KNOWN_PLAYERS: ReadonlySet<number> = new Set([1, 2])

/** Billed or irreversible as soon as one thing in it is; a plain library is a plain write. */
export function libraryEffect(input: Partial<LibraryInput>): WriteEffect {
  return libraryCosts(libraryRequest(input)).length > 0 ? 'billed or irreversible' : 'write'
}

export function billedParts(input: Partial<LibraryInput>): readonly string[] {
  const { replicationRegions = [] } = input
  const request = libraryRequest(input)
  return [
    input.encodingTier === 'Premium' && 'premium encoding',
    request.JitEncodingEnabled === true && 'JIT encoding',
    request.EnableTranscribing === true && 'transcribing',
    replicationRegions.length > 0 && `replicas in ${replicationRegions.join(', ')}`,
  ].filter((part) => part !== false)
}

export function librarySentence(input: LibraryInput): string {
  const billed = billedParts(input)
  return `Create the video library “${shortName(input)}”${billed.length === 0 ? '' : ` with ${billed.join(', ')}`}`
}

export function libraryReview(input: LibraryInput): Review {
  const request = libraryRequest(input)
  return {
    sentence: librarySentence(input),
    request: Object.entries(request).map(
      ([field, value]) => [libraryLabel(field), libraryWords(field, value, MAX_VALUE_IN_REVIEW)] as const,
    ),
    notes: transcribingNotes(input),
    warnings: libraryWarnings(request),
    costs: libraryCosts(request),
    follows: [
      'Creates a library with a storage zone and a pull zone of its own. CDN Ops can’t change or remove them.',
      'Everything not listed: the CDN’s defaults.',
    ],
    irreversible: libraryIrreversible(request),
    panel: undefined, // The library has no page before it exists.
  }
}

export function libraryLookFor(input: LibraryInput): string {
  return `Look for a video library named “${shortName(input)}”.`
}

function shortName({ name }: LibraryInput): string {
  return visible(name, MAX_NAME_IN_SENTENCE)
}

function transcribingNotes(input: LibraryInput): readonly string[] {
  if (!turnsTranscribingOn(givenRequest(input))) return []
  const generated = [
    input.titleGeneration === true && 'titles',
    input.descriptionGeneration === true && 'descriptions',
    input.chaptersGeneration === true && 'chapters',
    input.momentsGeneration === true && 'moments',
  ].filter((part) => part !== false)
  return [`Transcribing is turned on, because generating ${generated.join(', ')} needs it.`]
}

function libraryWarnings(request: VideoLibraryRequest): readonly string[] {
  const { PlayerVersion, EnableTranscribing, TranscribingCaptionLanguages } = request
  return [
    ...videoLibraryWarnings(request).map(({ message }) => message),
    (TranscribingCaptionLanguages ?? []).length > 0 &&
      EnableTranscribing !== true &&
      'Caption languages count only with transcribing on, and it is not turned on here.',
    typeof PlayerVersion === 'number' &&
      !KNOWN_PLAYERS.has(PlayerVersion) &&
      `Player version ${PlayerVersion} is not known here; 1 and 2 are.`,
  ].filter((warning) => warning !== false)
}

/**
 * What the platform bills for a library like this, one sentence each. Prices are the platform's and change without
 * notice, so none is named: a number here would be believed long after it was true.
 */
function libraryCosts(request: VideoLibraryRequest): readonly string[] {
  const { EncodingTier, OutputCodecs, JitEncodingEnabled, EnableTranscribing } = request
  const isPremium = EncodingTier === ENCODING_TIERS.Premium
  const codecs = OutputCodecs?.replaceAll(',', ', ') ?? 'the codecs the CDN chooses'
  const languages = request.TranscribingCaptionLanguages ?? []
  const spoken = languages.length === 0 ? 'those the CDN chooses' : languages.map(languageLabel).join(', ')
  const regions = (request.ReplicationRegions ?? []).map(regionLabel).join(', ')
  return [
    isPremium && `Premium encoding is billed by the minute of video and by codec: ${codecs}.`,
    isPremium && JitEncodingEnabled === true && 'JIT encoding is part of premium encoding and is billed with it.',
    EnableTranscribing === true && `Transcribing is billed by the minute and by language: ${spoken}.`,
    regions !== '' && `Each replication region holds a further copy of every file, billed as storage: ${regions}.`,
  ].filter((cost) => cost !== false)
}

function libraryIrreversible(request: VideoLibraryRequest): readonly string[] {
  const regions = (request.ReplicationRegions ?? []).map(regionLabel).join(', ')
  return [
    regions !== '' && `Replication regions cannot be removed later: ${regions}.`,
    request.AllowEarlyPlay === true &&
      'Early play also exposes the original files through the CDN; what was fetched meanwhile cannot be taken back.',
  ].filter((consequence) => consequence !== false)
}

function wordFields(choice: typeof named): FieldWords {
  return {
    EncodingTier: choice(ENCODING_TIERS),
    DrmVersion: choice(DRM_VERSIONS),
    PullZoneType: choice(PULL_ZONE_TYPES),
    ReplicationRegions: coded(regionLabel),
    TranscribingCaptionLanguages: coded(languageLabel),
  }
}

/** For all fields, which bear the names of the interface and its numbers. */
export const LIBRARY_WORDS = wordFields(numbered)
const IN_SHORT = wordFields(named)

export function libraryWords(field: string, value: unknown, maxCodePoints?: number): string {
  return fieldInWords(IN_SHORT, field, value, maxCodePoints)
}

function coded(label: (code: string) => string): (value: unknown) => string {
  return (value) => {
    if (!Array.isArray(value) || value.length === 0) return said(value)
    return value.map((code) => label(said(code))).join(', ')
  }
}
