import { expect, test } from 'vitest'
import type { Message } from '../../../src/block-kit/message.ts'
import { messageProblems } from '../../support/slack-rules.ts'
import { VideoLibrary } from '../../../src/cdn/video-library.ts'
import type { Answer } from '../../../src/operations/answer.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { libraryCreate } from '../../../src/operations/library/library-create.ts'
import type { OperationContext } from '../../../src/operations/operation.ts'
import { invocationOf, operationContext } from '../../support/operation-context.ts'

const KEYS = {
  ApiKey: 'canary-key-0123456789abcdef',
  ReadOnlyApiKey: 'canary-read-0123456789abcdef',
  ApiAccessKey: 'canary-old-0123456789abcdef',
}
const STORED = { Id: 900, Name: 'Trailers', StorageZoneId: 901, PullZoneId: 902, ...KEYS }

async function answerTo(values: RawValues, stored: object, changes: Partial<OperationContext> = {}): Promise<Answer> {
  const cdn = { createVideoLibrary: async () => VideoLibrary.parse(stored) }
  const answer = await invocationOf(libraryCreate, values).run(operationContext(cdn, changes))
  expect(messageProblems(answer.message)).toEqual([])
  expect(messageProblems(allFields(answer))).toEqual([])
  return answer
}

function allFields(answer: Answer): Message {
  const button = answer.buttons?.[0]
  if (button?.kind !== 'more') throw new Error('The first button shows all fields')
  return button.message
}

test('names the library and what lies behind it, with links, and where its keys are', async () => {
  const { message } = await answerTo({ name: 'Trailers' }, STORED)
  expect(message.text).toContain('The video library Trailers was created. Its id is 900.')
  expect(message.text).toContain('Storage zone behind it: 901 (https://panel.example.com/storage-zone/901)')
  expect(message.text).toContain('Pull zone behind it: 902 (https://panel.example.com/pull-zone/902)')
  expect(message.text).toContain('Its keys are in the platform’s panel')
  expect(message.text).not.toContain('differently')
  expect(JSON.stringify(message.blocks)).toContain('<https://panel.example.com/video-library/900|900>')
})

test('without an address of the panel the ids stand alone, and absent or zero ids are said to be absent', async () => {
  const { message } = await answerTo({ name: 'Trailers' }, { Id: 900, PullZoneId: 0 }, { panel: () => undefined })
  expect(message.text).toContain('Video library: 900\n')
  expect(message.text).toContain('Storage zone behind it: the answer does not say')
  expect(message.text).toContain('Pull zone behind it: the answer does not say')
})

test('no key, nor a part of one, is in any answer', async () => {
  const answer = await answerTo({ name: 'Trailers' }, STORED)
  expect(JSON.stringify(answer)).not.toMatch(/canary|cdef/)
  expect(allFields(answer).text).toContain('ApiKey: given, not shown')
  const without = await answerTo({ name: 'Trailers' }, { Id: 900, ApiKey: null })
  expect(allFields(without).text).toContain('ApiKey: none')
})

test('what was stored otherwise than asked is shown, whatever the order and spacing of lists', async () => {
  const values = {
    name: 'Trailers',
    encodingTier: 'premium',
    outputCodecs: 'x264,av1',
    resolutions: '720p,1080p',
    replicationRegions: 'NY,SG',
    allowEarlyPlay: 'on',
    keepOriginalFiles: 'on',
  }
  const { message } = await answerTo(values, {
    ...STORED,
    EncodingTier: 1,
    OutputCodecs: 'av1, x264',
    EnabledResolutions: '1080p,720p,480p',
    ReplicationRegions: ['SG', 'NY'],
    AllowEarlyPlay: false,
  })
  expect(message.text).toContain(
    'Stored differently from what was asked:\n' +
      '- EnabledResolutions: asked 720p,1080p, stored 1080p,720p,480p\n' +
      '- KeepOriginalFiles: asked on; the answer does not say what was stored\n' +
      '- AllowEarlyPlay: asked on, stored off\n',
  )
})

test('what was left to the platform is listed with its choice', async () => {
  const { message } = await answerTo(
    { name: 'Trailers' },
    {
      ...STORED,
      EncodingTier: 0,
      OutputCodecs: 'x264',
      PlayerVersion: 2,
      ShowHeatmap: true,
      EnableMP4Fallback: false,
      AllowEarlyPlay: false,
    },
  )
  expect(message.text).toContain(
    'Left to the platform, which chose:\n- PlayerVersion: 2 · EncodingTier: Free (0) · OutputCodecs: x264\n' +
      '- off: EnableMP4Fallback, AllowEarlyPlay\n',
  )
  expect(message.text).not.toContain('ShowHeatmap')
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
  const { text } = allFields(answer)
  for (const name of Object.keys(VideoLibrary.shape)) expect(text).toMatch(new RegExp(`^${name}[.:]`, 'm'))
  for (const line of [
    'FirstVendorDrm.Enabled: on',
    'FirstVendorDrm.CertificateId: 9007199254740993',
    'FirstVendorDrm.CertificateExpirationDate: 2027-01-02 03:04 UTC',
    'SecondVendorDrm.Provider: none',
    'SecondVendorDrm.SdOnlyForL3: off',
    'DrmVersion: BasicV2 (2)',
    'PullZoneType: Volume (1)',
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

test('an answer with nothing but the id is shown as far as it goes', async () => {
  const { message } = await answerTo({ name: 'Trailers' }, { Id: 900 })
  expect(message.text).toContain('The video library Trailers was created. Its id is 900.')
  expect(message.text).toContain('- Name: asked Trailers; the answer does not say what was stored')
})

test('huge fields are cut, and every field still has its row', async () => {
  const huge = `<!channel> ${'x'.repeat(60_000)}`
  const texts = Object.fromEntries(
    [
      'Name',
      'CustomHTML',
      'Controls',
      'FeatureFlags',
      'WebhookUrl',
      'VastTagUrl',
      'OutputCodecs',
      'PlaybackSpeeds',
    ].map((name) => [name, huge]),
  )
  const answer = await answerTo(
    { name: 'Trailers' },
    { ...STORED, ...texts, AllowedReferrers: Array.from({ length: 5_000 }, () => huge) },
  )
  const { blocks } = allFields(answer)
  const table = blocks.find((block) => block.type === 'data_table')
  expect(table?.rows).toHaveLength(Object.keys(VideoLibrary.shape).length + 1)
  expect(Buffer.byteLength(JSON.stringify(allFields(answer)))).toBeLessThan(64_000)
  expect(JSON.stringify(answer.message)).not.toContain('<!channel>')
})
