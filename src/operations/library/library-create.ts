import { link, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import {
  csvParts,
  FirstVendorDrm,
  SecondVendorDrm,
  VideoLibrary,
  type VideoLibraryRequest,
} from '../../cdn/contract/video-library.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Answer } from '../declaration/answer.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import type { FormStep, OperationContext, PanelLink, PanelPlace } from '../declaration/operation.ts'
import {
  type Difference,
  type FieldShape,
  isSame,
  storedAnswer,
  storedFields,
  storedFieldsMessage,
} from '../declaration/stored-fields.ts'
import { LIBRARY_FIELDS, type LibraryInput, libraryIssues, libraryLabel, libraryRequest } from './library-fields.ts'
import {
  billedParts,
  LIBRARY_WORDS,
  libraryEffect,
  libraryLookFor,
  libraryReview,
  librarySentence,
  libraryWords,
} from './library-review.ts'

type Name = keyof typeof LIBRARY_FIELDS

/** Four pages, from what every library needs to what few do. What is left alone is left to the platform. */
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
  effect: libraryEffect,
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
  lookFor: libraryLookFor,
  run: (input, { cdn, signal }) => cdn.createVideoLibrary({ body: libraryRequest(input) }, { signal }),
  present: libraryAnswer,
})

const LIBRARY_SHAPE: FieldShape = {
  ...Object.fromEntries(Object.keys(VideoLibrary.shape).map((name) => [name, undefined])),
  FirstVendorDrm: Object.keys(FirstVendorDrm.shape),
  SecondVendorDrm: Object.keys(SecondVendorDrm.shape),
}

const MAX_NAME_IN_SENTENCE = 80
const KEYS = 'Its keys are in the CDN’s panel; CDN Ops keeps and shows none of them. '

function libraryAnswer(library: VideoLibrary, input: LibraryInput, { actor, panel }: OperationContext): Answer {
  const fields = storedFields(LIBRARY_SHAPE, library, LIBRARY_WORDS)
  return storedAnswer({
    actorId: actor.id,
    did: whatWasDone(library, input, panel),
    differences: libraryDifferences(libraryRequest(input), library),
    allFields: storedFieldsMessage(`Video library ${library.Id}, all fields`, fields, KEYS),
  })
}

/** With what mattered in the review. */
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

/** Every field of the request that the stored library does not repeat as it was asked, whatever the order of a list. */
function libraryDifferences(request: VideoLibraryRequest, library: VideoLibrary): readonly Difference[] {
  const storedFields: Readonly<Record<string, unknown>> = library
  return Object.entries(request)
    .map(([field, asked]) => [field, asked, storedFields[field]] as const)
    .filter(([field, asked, stored]) => !isSame(parts(field, asked), parts(field, stored)))
    .map(([field, asked, stored]) => ({
      field: libraryLabel(field),
      asked: libraryWords(field, asked),
      stored: stored === undefined ? undefined : libraryWords(field, stored),
    }))
}

function parts(field: string, value: unknown): unknown {
  return COMMA_SEPARATED.has(field) && typeof value === 'string' ? csvParts(value) : value
}
