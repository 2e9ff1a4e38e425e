import { defineOperation } from '../define-operation.ts'
import { libraryAnswer } from './library-answer.ts'
import { LIBRARY_FIELDS } from './library-fields.ts'
import { LIBRARY_FORM } from './library-form.ts'
import { libraryIssues, libraryRequest } from './library-request.ts'
import { libraryEffect, libraryLookFor, libraryReview, librarySentence } from './library-review.ts'

/** `library create`: a video library with the storage zone and the pull zone behind it. */
export const libraryCreate = defineOperation({
  name: 'library create',
  aliases: ['library'],
  summary: 'Create a video library',
  verb: 'Create library',
  effect: libraryEffect,
  minimumRole: 'operator',
  audience: 'channel',
  shareable: false,
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
  run: (input, { cdn, signal }) => cdn.createVideoLibrary(libraryRequest(input), { signal }),
  present: libraryAnswer,
})
