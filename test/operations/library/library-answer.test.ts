import { expect, test } from 'vitest'
import { VideoLibrary } from '../../../src/cdn/contract/video-library.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { libraryCreate } from '../../../src/operations/library/library-create.ts'
import type { OperationContext } from '../../../src/operations/declaration/operation.ts'
import { ask } from '../../support/ask.ts'

const KEYS = {
  ApiKey: 'canary-key-0123456789abcdef',
  ReadOnlyApiKey: 'canary-read-0123456789abcdef',
  ApiAccessKey: 'canary-old-0123456789abcdef',
}
const STORED = { Id: 900, Name: 'Trailers', StorageZoneId: 901, PullZoneId: 902, ...KEYS }

const answerTo = (values: RawValues, stored: object, changes: Partial<OperationContext> = {}) =>
  ask(libraryCreate, values, { createVideoLibrary: async () => VideoLibrary.parse(stored) }, changes)

test('names the library and what lies behind it, with links, and where its keys are', async () => {
  const { text, said, details } = await answerTo({ name: 'Trailers' }, STORED)
  expect(text).toMatch(/^Done: created video library Trailers \(900 .*\) · storage 901 .* · pull zone 902 [^\n]*$/)
  expect(details?.text + JSON.stringify(details?.blocks)).toContain('Its keys are in the CDN’s panel')
  expect(said).toContain('<https://panel.example.com/video-library/900|900>')
})

test('what costs money is said again', async () => {
  const { text } = await answerTo({ name: 'Trailers', encodingTier: 'premium' }, { ...STORED, EncodingTier: 1 })
  expect(text).toMatch(/, premium encoding \(billed\) · storage/)
})

test('without an address of the panel the ids stand alone, and absent or zero ids are said to be absent', async () => {
  const { text } = await answerTo({ name: 'Trailers' }, { Id: 900, PullZoneId: 0 }, { panel: () => undefined })
  expect(text).toContain('Trailers (900) · storage not said · pull zone not said')
})

test('no key, nor a part of one, is in any answer', async () => {
  const answer = await answerTo({ name: 'Trailers' }, STORED)
  expect(answer.shown).not.toMatch(/canary|cdef/)
  expect(answer.details?.text).toContain('ApiKey: given, not shown')
  const without = await answerTo({ name: 'Trailers' }, { Id: 900, ApiKey: null })
  expect(without.details?.text).toContain('ApiKey: none')
})

test('what was stored otherwise than asked is shown, whatever the order and spacing of lists', async () => {
  const lists = { outputCodecs: 'x264,av1', resolutions: '720p,1080p', replicationRegions: 'NY,SG' }
  const flags = { allowEarlyPlay: 'on', keepOriginalFiles: 'on' }
  const { text } = await answerTo(
    { name: 'Trailers', encodingTier: 'premium', ...lists, ...flags },
    {
      ...STORED,
      EncodingTier: 1,
      OutputCodecs: 'av1, x264',
      EnabledResolutions: '1080p,720p,480p',
      ReplicationRegions: ['SG', 'NY'],
      AllowEarlyPlay: false,
    },
  )
  expect(text).toContain(
    'Stored differently from what was asked:\n' +
      '- Resolutions: asked 720p,1080p, stored 1080p,720p,480p\n' +
      '- Keep original files: asked on; the answer does not say what was stored\n' +
      '- Early play: asked on, stored off',
  )
})

test('what was left to the platform stands behind the button alone', async () => {
  const { text, details } = await answerTo({ name: 'Trailers' }, { ...STORED, EncodingTier: 0, PlayerVersion: 2 })
  expect(text).not.toMatch(/Free|Player/)
  expect(details?.text).toContain('PlayerVersion: 2')
})

test('all fields of the answer are reachable by name, both DRM objects and the overrides included', async () => {
  const drm = {
    Enabled: true,
    CertificateId: 9_007_199_254_740_993n,
    CertificateExpirationDate: '2027-01-02T03:04:05',
    Provider: 'Example',
  }
  const answer = await answerTo(
    { name: 'Trailers' },
    {
      ...STORED,
      FirstVendorDrm: drm,
      SecondVendorDrm: { ...drm, SdOnlyForL3: false, Provider: null },
      DrmVersion: 2,
      PullZoneType: 1,
      EncodingTier: 7,
      TranscribingPriceOverride: 0.125,
      MonthlyChargesTranscribing: 0,
      TrafficUsage: 9_223_372_036_854_775_807n,
      DateCreated: '2026-11-20T12:00:00.1234567Z',
      AllowedReferrers: ['a.example', 'b.example'],
      BlockedReferrers: [],
      CustomHTML: '',
    },
  )
  const { text = '' } = answer.details ?? {}
  for (const name of Object.keys(VideoLibrary.shape)) expect(text).toMatch(new RegExp(`^${name}[.:]`, 'm'))
  for (const line of [
    'FirstVendorDrm.Enabled: on',
    'FirstVendorDrm.CertificateId: 9007199254740993',
    'FirstVendorDrm.CertificateExpirationDate: 2027-01-02 03:04 UTC',
    'SecondVendorDrm.Provider: none',
    'SecondVendorDrm.SdOnlyForL3: off',
    'DrmVersion: BasicV2',
    'PullZoneType: Volume',
    'EncodingTier: 7',
    'TranscribingPriceOverride: 0.125',
    'MonthlyChargesTranscribing: 0',
    'TrafficUsage: 9223372036854775807',
    'DateCreated: 2026-11-20 12:00 UTC',
    'AllowedReferrers: a.example, b.example',
    'BlockedReferrers: none',
    'CustomHTML: empty',
    'VastTagUrl: none',
  ]) {
    expect(text.split('\n')).toContain(line)
  }
})

test('huge fields are cut, and every field still has its row', async () => {
  const huge = `<!channel> ${'x'.repeat(60_000)}`
  const names = 'Name CustomHTML Controls FeatureFlags WebhookUrl VastTagUrl OutputCodecs PlaybackSpeeds'.split(' ')
  const texts = Object.fromEntries(names.map((name) => [name, huge]))
  const answer = await answerTo(
    { name: 'Trailers' },
    { ...STORED, ...texts, AllowedReferrers: Array.from({ length: 5_000 }, () => huge) },
  )
  const { blocks = [] } = answer.details ?? {}
  const table = blocks.find((block) => block.type === 'data_table')
  expect(table?.rows).toHaveLength(Object.keys(VideoLibrary.shape).length + 1)
  expect(Buffer.byteLength(JSON.stringify(answer.details))).toBeLessThan(64_000)
  expect(answer.said).not.toContain('<!channel>')
})
