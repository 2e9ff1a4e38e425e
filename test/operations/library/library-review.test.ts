import { expect, test } from 'vitest'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { libraryCreate } from '../../../src/operations/library/library-create.ts'
import type { Review } from '../../../src/operations/declaration/operation.ts'
import { invocationOf } from '../../support/operation-context.ts'

const STAYS = 'Creates a library with a storage zone and a pull zone of its own. CDN Ops can’t change or remove them.'
const LEFT = 'Everything not listed: the CDN’s defaults.'

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
      ['Keep original files', 'off'],
    ],
    notes: [],
    warnings: [],
    costs: [],
    follows: [STAYS, LEFT],
    irreversible: [],
    panel: undefined,
  })
})

test('every cost and everything that cannot be undone is named', () => {
  const encoding = { encodingTier: 'premium', jitEncoding: 'on', outputCodecs: 'x264,vp9,av1' }
  const spoken = { transcribing: 'on', captionLanguages: 'en,de' }
  const rest = { name: 'Trailers', replicationRegions: 'NY,SYD', allowEarlyPlay: 'off' }
  const { sentence, costs, irreversible } = review({ ...encoding, ...spoken, ...rest })
  expect(sentence).toBe(
    'Create the video library “Trailers” with premium encoding, JIT encoding, transcribing, replicas in NY, SYD',
  )
  expect(costs).toEqual([
    'Premium encoding is billed by the minute of video and by codec: x264, vp9, av1.',
    'JIT encoding is part of premium encoding and is billed with it.',
    'Transcribing is billed by the minute and by language: English (en), German (de).',
    'Each replication region holds a further copy of every file, billed as storage: New York (NY), Sydney (SYD).',
  ])
  expect(irreversible).toEqual(['Replication regions cannot be removed later: New York (NY), Sydney (SYD).'])
})

test('what is left to the platform and billed is said to be its choice', () => {
  const { costs } = review({ name: 'Trailers', encodingTier: 'premium', transcribing: 'on' })
  expect(costs).toEqual([
    'Premium encoding is billed by the minute of video and by codec: the codecs the CDN chooses.',
    'Transcribing is billed by the minute and by language: those the CDN chooses.',
  ])
})

test('early play exposes the originals, which cannot be taken back', () => {
  const { irreversible } = review({ name: 'Trailers', allowEarlyPlay: 'on' })
  expect(irreversible).toEqual([expect.stringContaining('also exposes the original files')])
})

test('transcribing turned on by generation is sent, said and charged', () => {
  const { request, notes, costs } = review({ name: 'Trailers', titleGeneration: 'on', momentsGeneration: 'on' })
  expect(request).toContainEqual(['Transcribing', 'on'])
  expect(notes).toEqual(['Transcribing is turned on, because generating from speech needs it.'])
  expect(costs).toEqual([expect.stringContaining('Transcribing is billed')])
})

test('transcribing that was asked for is not explained', () => {
  expect(review({ name: 'Trailers', transcribing: 'on', titleGeneration: 'on' }).notes).toEqual([])
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
  const spoken = { transcribing: 'on', captionLanguages: 'el' }
  const rest = { name: 'Trailers', encodingTier: 'free', playerVersion: '1', replicationRegions: 'JH' }
  const { request, warnings } = review({ ...spoken, ...rest })
  expect(request).toEqual([
    ['Name', 'Trailers'],
    ['Replication regions', 'Johannesburg (JH)'],
    ['Player version', '1'],
    ['Encoding tier', 'Free'],
    ['Transcribing', 'on'],
    ['Caption languages', 'Greek (el)'],
  ])
  expect(warnings).toEqual([])
})

test('what to look for names the library', () => {
  expect(invocationOf(libraryCreate, { name: 'Trailers' }).lookFor).toBe('Look for a video library named “Trailers”.')
})

test('a long name is cut in sentences and whole in the request', () => {
  const name = 'n'.repeat(255)
  const invocation = invocationOf(libraryCreate, { name })
  expect(invocation.sentence.length).toBeLessThan(150)
  expect(invocation.review?.request).toContainEqual(['Name', name])
})
