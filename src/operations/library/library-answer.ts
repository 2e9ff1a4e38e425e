import { factList, paragraphs, titledList } from '../../block-kit/message.ts'
import { dateTime, joinMd, link, md, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import {
  csvParts,
  FirstVendorDrm,
  SecondVendorDrm,
  VideoLibrary,
  type VideoLibraryRequest,
} from '../../cdn/video-library.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Answer } from '../answer.ts'
import type { OperationContext, PanelLink, PanelPlace } from '../operation.ts'
import {
  type Difference,
  differencesList,
  type FieldShape,
  isSame,
  storedFields,
  storedFieldsMessage,
  storedAnswer,
} from '../stored-fields.ts'
import type { LibraryInput } from './library-fields.ts'
import { LIBRARY_REQUEST_NAMES, libraryRequest } from './library-request.ts'
import { LIBRARY_WORDS, libraryWords } from './library-review.ts'

const LIBRARY_SHAPE: FieldShape = {
  ...Object.fromEntries(Object.keys(VideoLibrary.shape).map((name) => [name, undefined])),
  FirstVendorDrm: Object.keys(FirstVendorDrm.shape),
  SecondVendorDrm: Object.keys(SecondVendorDrm.shape),
}

const MAX_NAME_IN_SENTENCE = 80
const NOT_SAID = 'the answer does not say'
const KEYS = 'Its keys are in the platform’s panel, on the page of the library. CDN Ops keeps and shows none of them.'

export function libraryAnswer(library: VideoLibrary, input: LibraryInput, { panel, now }: OperationContext): Answer {
  const request = libraryRequest(input)
  const lead = md`:white_check_mark: The video library *${visible(library.Name ?? request.Name, MAX_NAME_IN_SENTENCE)}* was created. Its id is *${String(library.Id)}*.`
  const behind = [
    ['Video library', placeLink(panel, 'video-library', library.Id)],
    ['Storage zone behind it', placeLink(panel, 'storage-zone', library.StorageZoneId)],
    ['Pull zone behind it', placeLink(panel, 'pull-zone', library.PullZoneId)],
  ] as const
  const differences = differencesList(libraryDifferences(request, library))
  const chosen = titledList('Left to the platform, which chose', chosenItems(request, library))
  const small = [md`${KEYS}`, md`Created ${dateTime(library.DateCreated ?? now)}.`]
  const fields = storedFields(LIBRARY_SHAPE, library, LIBRARY_WORDS)
  const all = storedFieldsMessage(`Video library ${library.Id}, all fields`, fields)
  return storedAnswer([paragraphs(lead), factList(behind), differences, chosen], small, all)
}

/** Most of them are switches, so fields of the same value stand together; the table has them one by one. */
function chosenItems(request: ReturnType<typeof libraryRequest>, library: VideoLibrary): readonly Mrkdwn[] {
  const groups = [...Map.groupBy(chosenByPlatform(request, library), ([, value]) => value)]
  const alone = groups.flatMap(([, fields]) => (fields.length === 1 ? fields : []))
  const said = alone.map(([field, value]) => md`${field}: *${value}*`)
  return [
    ...(alone.length === 0 ? [] : [joinMd(said, ' · ')]),
    ...groups
      .filter(([, fields]) => fields.length > 1)
      .map(([value, fields]) => md`*${value}*: ${fields.map(([field]) => field).join(', ')}`),
  ]
}

function placeLink(panel: PanelLink, place: PanelPlace, id: bigint | undefined): Mrkdwn {
  // Zero is how the platform writes "none".
  if (id === undefined || id === 0n) return md`${NOT_SAID}`
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
      field,
      asked: libraryWords(field, asked),
      stored: stored === undefined ? undefined : libraryWords(field, stored),
    }))
}

function chosenByPlatform(
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
