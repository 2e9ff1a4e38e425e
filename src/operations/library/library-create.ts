import { link, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import {
  csvParts,
  FirstVendorDrm,
  SecondVendorDrm,
  turnsTranscribingOn,
  VideoLibrary,
  type VideoLibraryRequest,
  videoLibraryWarnings,
} from '../../cdn/contract/video-library.ts'
import { visible } from '../../shared/untrusted.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import type { FormStep, PanelLink, PanelPlace, Review } from '../declaration/operation.ts'
import { named, said, storedAnswer, storedFieldsMessage, thingWords } from '../declaration/stored-fields.ts'
import {
  givenRequest,
  languageLabel,
  LIBRARY_FIELDS,
  type LibraryInput,
  libraryIssues,
  libraryLabel,
  libraryRequest,
  regionLabel,
} from './library-fields.ts'
import { DRM_VERSIONS, ENCODING_TIERS } from '../../cdn/contract/dialect.ts'
import { PULL_ZONE_TYPES } from '../../cdn/contract/enums.ts'

type Name = keyof typeof LIBRARY_FIELDS

const LIBRARY_FORM: readonly FormStep<Name>[] = [
  step('New video library', 'The name is all that is needed. What you leave alone is left to the CDN.', [
    'name',
    'replicationRegions',
    'playerVersion',
  ]),
  step('Encoding', 'How uploaded videos are encoded and what is kept of them.', [
    // Rules that bind fields together stay on one page, where both can be mended.
    'encodingTier',
    'jitEncoding',
    'outputCodecs',
    'resolutions',
    'mp4Fallback',
    'keepOriginalFiles',
    'multiAudioTrack',
  ]),
  step('Playback and access', 'How videos are played, and by whom.', [
    'allowEarlyPlay',
    'allowDirectPlay',
    'blockNoneReferrer',
  ]),
  step('Transcribing', 'Billed by the CDN. Generating anything from speech turns transcribing on.', [
    'transcribing',
    'captionLanguages',
    'titleGeneration',
    'descriptionGeneration',
    'chaptersGeneration',
    'momentsGeneration',
  ]),
]

function step(title: string, intro: string, fields: readonly Name[]): FormStep<Name> {
  return { title, intro, fields: () => fields }
}

export const libraryCreate = defineOperation({
  name: 'library create',
  aliases: ['library'],
  summary: 'Create a video library',
  question: 'A new video library?',
  verb: 'Create library',
  // As soon as one thing in it is; a plain library is a plain write.
  effect: (input) => (libraryCosts(libraryRequest(input)).length > 0 ? 'billed or irreversible' : 'write'),
  audience: 'channel',
  fields: LIBRARY_FIELDS,
  positionals: ['name'],
  form: LIBRARY_FORM,
  examples: [
    'library create Trailers',
    'library create Trailers --resolutions 720p,1080p --keep-original-files',
    'library create Trailers --encoding-tier premium --output-codecs x264,av1 --replication-regions NY,SG',
    'library create Trailers --title-generation --caption-languages en,de',
  ],
  check: libraryIssues,
  review: libraryReview,
  describe: librarySentence,
  lookFor: (input) => `Look for a video library named “${shortName(input)}”.`,
  run: (input, { cdn, signal }) => cdn.createVideoLibrary({ body: libraryRequest(input) }, { signal }),
  present(library, input, { actor, panel }) {
    return storedAnswer({
      actorId: actor.id,
      did: whatWasDone(library, input, panel),
      differences: LIBRARY.differences(libraryRequest(input), library, libraryLabel, {}, parts),
      allFields: storedFieldsMessage(`Video library ${library.Id}, all fields`, LIBRARY.all(library), KEYS),
    })
  },
})

const KEYS = 'Its keys are in the CDN’s panel; CDN Ops keeps and shows none of them. '

function whatWasDone(library: VideoLibrary, input: LibraryInput, panel: PanelLink): Mrkdwn {
  const billed = billedParts(input)
  const costs = billed.length === 0 ? '' : `, ${billed.join(', ')} (billed)`
  const name = visible(library.Name ?? input.name, MAX_NAME_IN_SENTENCE)
  const storage = placeLink(panel, 'storage-zone', library.StorageZoneId)
  const pullZone = placeLink(panel, 'pull-zone', library.PullZoneId)
  return md`created video library *${name}* (${placeLink(panel, 'video-library', library.Id)})${costs} · storage ${storage} · pull zone ${pullZone}`
}

function placeLink(panel: PanelLink, place: PanelPlace, id: bigint | undefined): Mrkdwn {
  // Zero is how the platform writes "none".
  if (id === undefined || id === 0n) return md`not said`
  const url = panel(place, id)
  return url === undefined ? md`${String(id)}` : link(url, String(id))
}

const COMMA_SEPARATED: ReadonlySet<string> = new Set(['OutputCodecs', 'EnabledResolutions'])

function parts(field: string, value: unknown): unknown {
  return COMMA_SEPARATED.has(field) && typeof value === 'string' ? csvParts(value) : value
}

const MAX_NAME_IN_SENTENCE = 80
const MAX_VALUE_IN_REVIEW = 300

function billedParts(input: Partial<LibraryInput>): readonly string[] {
  const { replicationRegions = [] } = input
  const request = libraryRequest(input)
  return [
    input.encodingTier === 'Premium' && 'premium encoding',
    request.JitEncodingEnabled === true && 'JIT encoding',
    request.EnableTranscribing === true && 'transcribing',
    replicationRegions.length > 0 && `replicas in ${replicationRegions.join(', ')}`,
  ].filter((part) => part !== false)
}

function librarySentence(input: LibraryInput): string {
  const billed = billedParts(input)
  return `Create the video library “${shortName(input)}”${billed.length === 0 ? '' : ` with ${billed.join(', ')}`}`
}

function libraryReview(input: LibraryInput): Review {
  const request = libraryRequest(input)
  return {
    sentence: librarySentence(input),
    request: LIBRARY.request(request, libraryLabel, MAX_VALUE_IN_REVIEW),
    notes: turnsTranscribingOn(givenRequest(input)) ? [TURNED_ON] : [],
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

function shortName({ name }: LibraryInput): string {
  return visible(name, MAX_NAME_IN_SENTENCE)
}

const TURNED_ON = 'Transcribing is turned on, because generating from speech needs it.'

function libraryWarnings(request: VideoLibraryRequest): readonly string[] {
  const { PlayerVersion, EnableTranscribing, TranscribingCaptionLanguages } = request
  return [
    ...videoLibraryWarnings(request),
    (TranscribingCaptionLanguages ?? []).length > 0 &&
      EnableTranscribing !== true &&
      'Caption languages count only with transcribing on, and it is not turned on here.',
    (PlayerVersion ?? 0) > 2 && `Player version ${PlayerVersion} is not known here; 1 and 2 are.`,
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

const NESTED = { FirstVendorDrm, SecondVendorDrm }

const LIBRARY = thingWords(VideoLibrary, NESTED, {
  EncodingTier: named(ENCODING_TIERS),
  DrmVersion: named(DRM_VERSIONS),
  PullZoneType: named(PULL_ZONE_TYPES),
  ReplicationRegions: coded(regionLabel),
  TranscribingCaptionLanguages: coded(languageLabel),
})

function coded(label: (code: string) => string): (value: unknown) => string {
  return (value) => {
    if (!Array.isArray(value) || value.length === 0) return said(value)
    return value.map((code) => label(said(code))).join(', ')
  }
}
