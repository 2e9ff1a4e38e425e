import { expect, test } from 'vitest'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { libraryCreate } from '../../../src/operations/library/library-create.ts'
import type { Review } from '../../../src/operations/operation.ts'
import { invocationOf } from '../../support/operation-context.ts'

const STAYS =
  'This creates a video library with a storage zone and a pull zone of its own; CDN Ops cannot change or remove them.'
const LEFT = 'Fields that are not listed are left to the platform.'

function review(values: RawValues): Review {
  const found = invocationOf(libraryCreate, values).review
  if (found === undefined) throw new Error('A write has a review')
  return found
}

test('a plain library costs nothing by itself, and stays', () => {
  expect(review({ name: 'Trailers', keepOriginalFiles: 'off' })).toEqual({
    sentence: 'Create the video library “Trailers”',
    request: [
      ['Name', 'Trailers'],
      ['KeepOriginalFiles', 'off'],
    ],
    notes: [LEFT],
    warnings: [],
    costs: [],
    irreversible: [STAYS],
    panel: undefined,
  })
})

test('every cost and everything that cannot be undone is named', () => {
  const { sentence, costs, irreversible } = review({
    name: 'Trailers',
    encodingTier: 'premium',
    jitEncoding: 'on',
    outputCodecs: 'x264,av1',
    transcribing: 'on',
    captionLanguages: 'en,de',
    replicationRegions: 'NY,SYD',
    allowEarlyPlay: 'off',
  })
  expect(sentence).toBe(
    'Create the video library “Trailers” with premium encoding, JIT encoding, transcribing, replicas in NY, SYD',
  )
  expect(costs).toEqual([
    'Premium encoding is billed by the minute of video and by codec: x264, av1.',
    'JIT encoding is part of premium encoding and is billed with it.',
    'Transcribing is billed by the minute and by language: English (en), German (de).',
    'Each replication region holds a further copy of every file, billed as storage: New York (NY), Sydney (SYD).',
  ])
  expect(irreversible).toEqual([STAYS, 'Replication regions cannot be removed later: New York (NY), Sydney (SYD).'])
})

test('what is left to the platform and billed is said to be its choice', () => {
  const { costs } = review({ name: 'Trailers', encodingTier: 'premium', transcribing: 'on' })
  expect(costs).toEqual([
    'Premium encoding is billed by the minute of video and by codec: the codecs the platform chooses.',
    'Transcribing is billed by the minute and by language: those the platform chooses.',
  ])
})

test('early play exposes the originals, which cannot be taken back', () => {
  const { irreversible } = review({ name: 'Trailers', allowEarlyPlay: 'on' })
  expect(irreversible).toEqual([STAYS, expect.stringContaining('also exposes the original files')])
})

test('transcribing turned on by generation is sent, said and charged', () => {
  const { request, notes, costs } = review({ name: 'Trailers', titleGeneration: 'on', momentsGeneration: 'on' })
  expect(request).toContainEqual(['EnableTranscribing', 'on'])
  expect(notes).toEqual(['Transcribing is turned on, because generating titles, moments needs it.', LEFT])
  expect(costs).toEqual([expect.stringContaining('Transcribing is billed')])
})

test('transcribing that was asked for is not explained', () => {
  expect(review({ name: 'Trailers', transcribing: 'on', titleGeneration: 'on' }).notes).toEqual([LEFT])
})

test.each([
  [
    { encodingTier: 'premium', jitEncoding: 'on', allowEarlyPlay: 'on' },
    'Early play is known to stay off while JIT encoding is on.',
  ],
  [{ captionLanguages: 'de' }, 'Caption languages count only with transcribing on, and it is not turned on here.'],
  [{ replicationRegions: 'HK' }, 'HK is not a replication region known here.'],
  [{ transcribing: 'on', captionLanguages: 'eo' }, 'eo is not a caption language known here.'],
  [{ playerVersion: '3' }, 'Player version 3 is not known here; 1 and 2 are.'],
] as const)('%j is allowed with the warning: %s', (values, warning) => {
  expect(review({ name: 'Trailers', ...values }).warnings).toEqual([warning])
})

test('the request is shown in words: tiers, regions and languages by name', () => {
  const { request, warnings } = review({
    name: 'Trailers',
    encodingTier: 'free',
    playerVersion: '1',
    replicationRegions: 'JH',
    transcribing: 'on',
    captionLanguages: 'el',
  })
  expect(request).toEqual([
    ['Name', 'Trailers'],
    ['ReplicationRegions', 'Johannesburg (JH)'],
    ['PlayerVersion', '1'],
    ['EncodingTier', 'Free (0)'],
    ['EnableTranscribing', 'on'],
    ['TranscribingCaptionLanguages', 'Greek (el)'],
  ])
  expect(warnings).toEqual([])
})

test('what to look for names the library and warns of a second one', () => {
  expect(invocationOf(libraryCreate, { name: 'Trailers' }).lookFor).toBe(
    "Look in the platform's panel for a video library named “Trailers”. If it is there, it was created, with a storage " +
      'zone and a pull zone of its own. If not, create it again: creating one that exists makes a second of the same name.',
  )
})

test('a long name is cut in sentences and whole in the request', () => {
  const name = 'n'.repeat(255)
  const invocation = invocationOf(libraryCreate, { name })
  expect(invocation.sentence.length).toBeLessThan(150)
  expect(invocation.review?.request).toContainEqual(['Name', name])
})
