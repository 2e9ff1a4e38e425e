import { expect, test } from 'vitest'
import { VideoLibrary, type VideoLibraryRequest } from '../../../src/cdn/contract/video-library.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { libraryCreate } from '../../../src/operations/library/library-create.ts'
import { LIBRARY_FIELDS } from '../../../src/operations/library/library-fields.ts'
import { invocationOf, operationContext, problemsOf } from '../../support/operation-context.ts'
import { LIBRARY_CASES } from '../../support/video-library-cases.ts'

async function sentFor(values: RawValues): Promise<readonly VideoLibraryRequest[]> {
  const sent: VideoLibraryRequest[] = []
  const context = operationContext({
    createVideoLibrary: async ({ body }, options) => {
      expect(options?.signal).toBe(context.signal)
      sent.push(body)
      return VideoLibrary.parse({ Id: 1 })
    },
  })
  await invocationOf(libraryCreate, values).run(context)
  return sent
}

test.each(LIBRARY_CASES)('$title becomes the body of the table, sent once', async ({ values, body }) => {
  expect(await sentFor(values)).toEqual([body])
})

test('the table gives every field, and so does the form; 19 are sent', () => {
  const steps = libraryCreate.form ?? []
  expect(steps.flatMap(({ fields }) => fields({})).toSorted()).toEqual(Object.keys(LIBRARY_FIELDS).toSorted())
  expect(new Set(LIBRARY_CASES.flatMap(({ values }) => Object.keys(values)))).toEqual(
    new Set(Object.keys(LIBRARY_FIELDS)),
  )
  expect(new Set(LIBRARY_CASES.flatMap(({ body }) => Object.keys(body))).size).toBe(19)
})

const TURNED_OFF = 'Generation turns transcribing on, but transcribing was turned off. Leave one of the two out.'

test.each([
  [{}, ['name: Name is needed.']],
  [{ name: '  ' }, ['name: A video library needs a name of at least 1 character.']],
  [
    { name: 'x', jitEncoding: 'on', encodingTier: 'free' },
    ['jitEncoding: JIT encoding is supported in the premium encoding tier only.'],
  ],
  [
    { name: 'x', outputCodecs: 'x264,vp9', encodingTier: 'free' },
    ['outputCodecs: The free encoding tier supports only x264; vp9 needs the premium tier.'],
  ],
  [{ name: 'x', resolutions: ',' }, ['resolutions: At least one resolution must be enabled.']],
  [
    { name: 'x', transcribing: 'off', titleGeneration: 'on', momentsGeneration: 'on' },
    ['titleGeneration', 'momentsGeneration'].map((field) => `${field}: ${TURNED_OFF}`),
  ],
  [
    { name: 'x', replicationRegions: 'DE,NY' },
    ['replicationRegions: DE is the main region, which always holds a copy: leave it out of the replication regions.'],
  ],
  [{ name: 'x', resolutions: '4320p' }, [expect.stringContaining('resolutions: Resolutions cannot be 4320p')]],
  [{ name: 'x', outputCodecs: 'vp8' }, [expect.stringContaining('Did you mean vp9?')]],
  [{ name: 'x', captionLanguages: 'Germna' }, [expect.stringContaining('Caption languages cannot be Germna')]],
  [{ name: 'x', replicationRegions: 'N1' }, [expect.stringContaining('Replication regions cannot be N1')]],
  [{ name: 'x', playerVersion: '0' }, ['playerVersion: Player version must be a whole number from 1 to 2147483647.']],
  [{ name: 'x', encodingTier: 'gold' }, [expect.stringContaining('encodingTier: Encoding tier cannot be gold')]],
  [{ name: 'n'.repeat(256) }, ['name: Name has 256 characters; at most 255 are allowed.']],
])('%j is refused and the rule is named', (values, problems) => {
  expect(problemsOf(libraryCreate, values)).toEqual(problems)
})

test('a step of the form is judged by itself: the rules of the encoding page hold without a name', () => {
  expect(problemsOf(libraryCreate, { jitEncoding: 'on' })).toEqual([
    'name: Name is needed.',
    'jitEncoding: JIT encoding is supported in the premium encoding tier only.',
  ])
})

test.each([
  [{ name: 'x' }, 'write'],
  [{ name: 'x', encodingTier: 'free', outputCodecs: 'x264', allowEarlyPlay: 'on' }, 'write'],
  [{ name: 'x', transcribing: 'off', titleGeneration: 'off' }, 'write'],
  [{ name: 'x', encodingTier: 'premium' }, 'billed or irreversible'],
  [{ name: 'x', transcribing: 'on' }, 'billed or irreversible'],
  [{ name: 'x', titleGeneration: 'on' }, 'billed or irreversible'],
  [{ name: 'x', descriptionGeneration: 'on' }, 'billed or irreversible'],
  [{ name: 'x', chaptersGeneration: 'on' }, 'billed or irreversible'],
  [{ name: 'x', momentsGeneration: 'on' }, 'billed or irreversible'],
  [{ name: 'x', replicationRegions: 'NY' }, 'billed or irreversible'],
] as const)('%j has the effect %s', (values, effect) => {
  expect(invocationOf(libraryCreate, values).effect).toBe(effect)
})
