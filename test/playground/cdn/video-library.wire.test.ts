import { describe, expect, it } from 'vitest'
import { RunningEmulator } from './running-emulator.ts'

const emulator = new RunningEmulator()

async function create(body: unknown) {
  return await emulator.management('/videolibrary', { method: 'POST', body })
}

describe('creating a video library', () => {
  it('answers 201 with its id, three keys, and the zones made behind it', async () => {
    const { status, json } = await create({ Name: 'Trailers' })
    expect(status).toBe(201)
    expect(json).toMatchObject({ Name: 'Trailers', VideoCount: 0, DateCreated: '2026-11-20T18:00:30.0000000Z' })
    for (const key of ['ApiKey', 'ReadOnlyApiKey', 'ApiAccessKey']) expect(json[key]).toMatch(/^[0-9a-f-]{72}$/)
    expect(json.ApiKey).not.toBe(json.ReadOnlyApiKey)
    const statistics = await emulator.management(`/storagezone/${String(json['StorageZoneId'])}/statistics`)
    expect(statistics.json.StorageUsedChart).toEqual({ '2026-11-20T00:00:00Z': 0 })
    const logs = await emulator.logging(`/v2/pullzones/${String(json['PullZoneId'])}/logs`)
    expect(logs.json.data).toEqual([])
  })

  it('makes two libraries of two equal requests', async () => {
    const before = emulator.it.world.libraries.length
    const ids = [await create({ Name: 'Twice' }), await create({ Name: 'Twice' })].map(({ json }) => json.Id)
    expect(new Set(ids).size).toBe(2)
    expect(emulator.it.world.libraries).toHaveLength(before + 2)
  })

  it('answers with every setting it was given', async () => {
    const asked = {
      Name: 'All fields',
      ReplicationRegions: ['NY', 'SG'],
      PlayerVersion: 1,
      EncodingTier: 1,
      JitEncodingEnabled: true,
      OutputCodecs: 'x264,vp9,hevc,av1',
      EnabledResolutions: '240p,2160p',
      BlockNoneReferrer: true,
      EnableMP4Fallback: true,
      KeepOriginalFiles: false,
      AllowDirectPlay: false,
      EnableMultiAudioTrackSupport: true,
      EnableTranscribing: true,
      TranscribingCaptionLanguages: ['en', 'de'],
      EnableTranscribingTitleGeneration: true,
      EnableTranscribingDescriptionGeneration: true,
      EnableTranscribingChaptersGeneration: true,
      EnableTranscribingMomentsGeneration: true,
      AllowEarlyPlay: false,
    }
    expect(Object.keys(asked)).toHaveLength(19)
    expect((await create(asked)).json).toMatchObject(asked)
  })

  it.each(['Title', 'Description', 'Chapters', 'Moments'])('turns transcribing on for %s generation', async (what) => {
    const { json } = await create({
      Name: 'x',
      EnableTranscribing: false,
      [`EnableTranscribing${what}Generation`]: true,
    })
    expect(json.EnableTranscribing).toBe(true)
    expect((await create({ Name: 'x' })).json.EnableTranscribing).toBe(false)
  })

  it('exposes the originals with early play, which stays off beside JIT encoding', async () => {
    expect((await create({ Name: 'x', AllowEarlyPlay: true })).json).toMatchObject({
      AllowEarlyPlay: true,
      ExposeOriginals: true,
    })
    const beside = await create({ Name: 'x', AllowEarlyPlay: true, EncodingTier: 1, JitEncodingEnabled: true })
    expect(beside.json).toMatchObject({ AllowEarlyPlay: false, ExposeOriginals: false })
  })

  it.each([
    [{}, 'Name'],
    [{ Name: '' }, 'Name'],
    [{ Name: null }, 'Name'],
    [{ Name: 'x', EncodingTier: 2 }, 'EncodingTier'],
    [{ Name: 'x', JitEncodingEnabled: true }, 'JitEncodingEnabled'],
    [{ Name: 'x', OutputCodecs: 'x264,vp9' }, 'OutputCodecs'],
    [{ Name: 'x', OutputCodecs: 'mpeg2', EncodingTier: 1 }, 'OutputCodecs'],
    [{ Name: 'x', EnabledResolutions: '' }, 'EnabledResolutions'],
    [{ Name: 'x', EnabledResolutions: '721p' }, 'EnabledResolutions'],
    [{ Name: 'x', ReplicationRegions: ['DE'] }, 'ReplicationRegions'],
    [{ Name: 'x', PlayerVersion: 1.5 }, 'PlayerVersion'],
    [{ Name: 'x', KeepOriginalFiles: 'yes' }, 'KeepOriginalFiles'],
    [{ Name: 'x', TranscribingCaptionLanguages: 'en' }, 'TranscribingCaptionLanguages'],
    [{ Name: 'x', EnableMp4Fallback: true }, 'EnableMp4Fallback'],
  ])('refuses %j', async (body, field) => {
    const before = emulator.it.world.libraries.length
    const { status, json } = await create(body)
    expect(status).toBe(400)
    expect(json).toMatchObject({ ErrorKey: 'validation_error', Field: field, Message: expect.stringMatching(/\r$/) })
    expect(emulator.it.world.libraries).toHaveLength(before)
  })
})
