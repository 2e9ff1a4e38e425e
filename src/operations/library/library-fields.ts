import { ENCODING_TIERS, MAIN_REGION, OUTPUT_CODECS, REPLICATION_REGIONS } from '../../cdn/contract/dialect.ts'
import type { Choice } from '../../block-kit/inputs.ts'
import type { Field, InputOf } from '../declaration/field.ts'
import { issuesOf } from '../../cdn/contract/request-rules.ts'
import { INT32_MAX } from '../../cdn/contract/wire-fields.ts'
import { completeVideoLibraryRequest, RESOLUTIONS, VideoLibraryRequest } from '../../cdn/contract/video-library.ts'
import type { Issue } from '../declaration/operation.ts'
import { choice, choices } from '../declaration/choice-field.ts'
import { checked, type FieldText, integer, many, required, text, triState } from '../declaration/fields.ts'

const REGION_PLACES: Readonly<Record<string, string>> = {
  UK: 'London',
  SE: 'Stockholm',
  NY: 'New York',
  LA: 'Los Angeles',
  SG: 'Singapore',
  SYD: 'Sydney',
  BR: 'São Paulo',
  JH: 'Johannesburg',
}

/** Every region that can hold a replica; the main region is none and is not offered. */
export const REGIONS: readonly Choice[] = REPLICATION_REGIONS.map((value) => ({ value, label: regionLabel(value) }))

/** In the order of the names. Written out, since the engine takes as long to find them as all other operations to load. */
const LANGUAGES =
  'Arabic ar, Armenian hy, Azerbaijani az, Belarusian be, Bosnian bs, Bulgarian bg, Catalan ca, Chinese zh, ' +
  'Croatian hr, Czech cs, Danish da, Dutch nl, English en, Estonian et, Filipino tl, Finnish fi, French fr, ' +
  'Galician gl, German de, Greek el, Hebrew he, Hindi hi, Hungarian hu, Icelandic is, Indonesian id, ' +
  'Italian it, Japanese ja, Kannada kn, Kazakh kk, Korean ko, Latvian lv, Lithuanian lt, Macedonian mk, ' +
  'Malay ms, Māori mi, Marathi mr, Nepali ne, Norwegian no, Persian fa, Polish pl, Portuguese pt, ' +
  'Romanian ro, Russian ru, Serbian sr, Slovak sk, Slovenian sl, Spanish es, Swahili sw, Swedish sv, ' +
  'Tamil ta, Thai th, Turkish tr, Ukrainian uk, Urdu ur, Vietnamese vi, Welsh cy'

export const CAPTION_LANGUAGES: readonly Choice[] = LANGUAGES.split(', ').map((entry) => {
  const [label = '', value = ''] = entry.split(' ')
  return { value, label }
})

export function regionLabel(code: string): string {
  const place = REGION_PLACES[code]
  return place === undefined ? code : `${place} (${code})`
}

export function languageLabel(code: string): string {
  const name = CAPTION_LANGUAGES.find(({ value }) => value === code)?.label
  return name === undefined ? code : `${name} (${code})`
}

/** A code that is not in our list, but may be in the platform's: two or three letters, such as `NY` or `en`. */
const SHORT_CODE = /^[A-Za-z]{2,3}$/

/**
 * Several codes of a list the platform keeps and may have lengthened since: known ones are offered by name and may be
 * given by code or name, unknown short ones are passed on as typed, in the case the platform writes codes in.
 */
function codeList(
  options: FieldText & { readonly choices: readonly Choice[]; readonly letterCase: 'upper' | 'lower' },
): Field<readonly string[], false> {
  const known = choices(options)
  const names = new Set(options.choices.flatMap(({ value, label }) => [value.toLowerCase(), label.toLowerCase()]))
  const isUnknown = (code: string): boolean => SHORT_CODE.test(code) && !names.has(code.toLowerCase())
  return {
    ...known,
    read(raw, context) {
      const typed = many(raw)
      const listed = typed.filter((code) => !isUnknown(code))
      const result = known.read(listed, context)
      if (!result.ok) return result
      const passedOn = typed
        .filter(isUnknown)
        .map((code) => (options.letterCase === 'upper' ? code.toUpperCase() : code.toLowerCase()))
      return { ok: true, value: [...result.value, ...new Set(passedOn)] }
    },
  }
}

const TIERS = [
  { value: 'Free', label: 'Free: x264 only' },
  { value: 'Premium', label: 'Premium: paid; further codecs, JIT encoding' },
] as const

export const LIBRARY_FIELDS = {
  name: required(text({ label: 'Name', hint: 'At least 1 character.', maxLength: 255 })),
  replicationRegions: checked(
    codeList({
      label: 'Replication regions',
      hint: 'Further copies besides the main region, which cost money. A region cannot be removed later.',
      choices: REGIONS,
      letterCase: 'upper',
    }),
    (regions) =>
      regions.includes(MAIN_REGION)
        ? `${MAIN_REGION} is the main region, which always holds a copy: leave it out of the replication regions.`
        : undefined,
  ),
  playerVersion: integer({
    label: 'Player version',
    hint: '2 is the current player, 1 the one before it.',
    min: 1,
    max: INT32_MAX,
  }),
  encodingTier: choice({ label: 'Encoding tier', hint: 'Premium is paid.', choices: TIERS }),
  jitEncoding: triState({ label: 'JIT encoding', hint: 'In the premium encoding tier only.' }),
  outputCodecs: choices({
    label: 'Output codecs',
    hint: 'The free tier has x264 only; premium adds vp9, hevc and av1.',
    choices: OUTPUT_CODECS.map((value) => ({ value, label: value })),
  }),
  resolutions: choices({
    label: 'Resolutions',
    hint: 'At least one, if any is chosen.',
    choices: RESOLUTIONS.map((value) => ({ value, label: value })),
  }),
  mp4Fallback: triState({ label: 'MP4 fallback', hint: 'Also keeps MP4 files for players without streaming.' }),
  keepOriginalFiles: triState({
    label: 'Keep original files',
    hint: 'Keeps the uploaded files after a video has been processed.',
  }),
  multiAudioTrack: triState({ label: 'Several audio tracks', hint: 'Enables multiple output audio tracks.' }),
  allowEarlyPlay: triState({
    label: 'Early play',
    hint: 'On also exposes the original files through the CDN. Stays off with JIT encoding.',
  }),
  allowDirectPlay: triState({ label: 'Direct play URLs', hint: 'Enables URLs that play a video directly.' }),
  blockNoneReferrer: triState({
    label: 'Block requests without referrer',
    hint: 'Refuses requests without a referrer.',
  }),
  transcribing: triState({ label: 'Transcribing', hint: 'Transcribes audio automatically; billed by the CDN.' }),
  captionLanguages: codeList({
    label: 'Caption languages',
    hint: 'Languages captions are transcribed to; each is billed.',
    choices: CAPTION_LANGUAGES,
    letterCase: 'lower',
  }),
  titleGeneration: triState({ label: 'Generate titles', hint: 'Titles from speech; on turns transcribing on.' }),
  descriptionGeneration: triState({
    label: 'Generate descriptions',
    hint: 'Descriptions from speech; on turns transcribing on.',
  }),
  chaptersGeneration: triState({ label: 'Generate chapters', hint: 'Chapters from speech; on turns transcribing on.' }),
  momentsGeneration: triState({ label: 'Generate moments', hint: 'Moments from speech; on turns transcribing on.' }),
}

export type LibraryInput = InputOf<typeof LIBRARY_FIELDS>

const LIBRARY_REQUEST_NAMES = {
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
} as const satisfies Readonly<Record<keyof LibraryInput, keyof VideoLibraryRequest>>

export function libraryLabel(sentAs: string): string {
  const name = inputNamed(sentAs)
  return name === undefined ? sentAs : LIBRARY_FIELDS[name].label
}

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
  return issuesOf(VideoLibraryRequest, givenRequest(input))
    .map(({ field, message }) => ({ field: inputNamed(field), problem: message }))
    .filter(({ field }) => field !== 'name' || input.name !== undefined)
}

const INPUT_NAMES = Object.keys(LIBRARY_FIELDS) as (keyof typeof LIBRARY_FIELDS)[] // its own keys

function inputNamed(requestField: string): keyof typeof LIBRARY_FIELDS | undefined {
  const name = requestField.split('.')[0]
  return INPUT_NAMES.find((field) => LIBRARY_REQUEST_NAMES[field] === name)
}
