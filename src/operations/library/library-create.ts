import { defineOperation } from '../declaration/define-operation.ts'
import type { FormStep } from '../declaration/operation.ts'
import { libraryAnswer } from './library-answer.ts'
import { libraryIssues, libraryRequest, LIBRARY_FIELDS } from './library-fields.ts'
import { libraryEffect, libraryLookFor, libraryReview, librarySentence } from './library-review.ts'

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
