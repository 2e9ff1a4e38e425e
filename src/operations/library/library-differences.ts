import type { VideoLibrary } from '../../cdn/video-library.ts'
import { csvParts, type VideoLibraryRequest } from '../../cdn/video-library-request.ts'
import { type Difference, isSame } from '../stored-differences.ts'
import { LIBRARY_REQUEST_NAMES } from './library-request.ts'
import { libraryWords } from './library-words.ts'

const COMMA_SEPARATED: ReadonlySet<string> = new Set(['OutputCodecs', 'EnabledResolutions'])

/** Every field of the request that the stored library does not repeat as it was asked, whatever the order of a list. */
export function libraryDifferences(request: VideoLibraryRequest, library: VideoLibrary): readonly Difference[] {
  const storedFields: Readonly<Record<string, unknown>> = library
  return Object.entries(request)
    .map(([field, asked]) => [field, asked, storedFields[field]] as const)
    .filter(([field, asked, stored]) => !isSame(parts(field, asked), parts(field, stored)))
    .map(([field, asked, stored]) => ({
      field,
      asked: libraryWords(field, asked),
      stored: stored === undefined ? undefined : libraryWords(field, stored),
    }))
}

/** What the platform chose for the fields of the request that were left to it. */
export function chosenByPlatform(
  request: VideoLibraryRequest,
  library: VideoLibrary,
): readonly (readonly [field: string, value: string])[] {
  const storedFields: Readonly<Record<string, unknown>> = library
  return Object.values(LIBRARY_REQUEST_NAMES)
    .filter((field) => !Object.hasOwn(request, field) && storedFields[field] !== undefined)
    .map((field) => [field, libraryWords(field, storedFields[field])] as const)
}

function parts(field: string, value: unknown): unknown {
  return COMMA_SEPARATED.has(field) && typeof value === 'string' ? csvParts(value) : value
}
