import * as z from 'zod'
import { REPLICATION_REGIONS } from '../../cdn/contract/dialect.ts'
import type { Answer, Call } from './call.ts'
import { invalidField, or, readManagement, refuseManagement } from './refusal.ts'
import { fakeKey, type VideoLibraryBacking, type World } from './world/world.ts'

type LibraryAnswer = Answer<'createVideoLibrary'>['body']

/** Makes a library with its storage zone, pull zone and three keys. Two requests make two libraries, of one name too. */
export function createVideoLibrary({ body, world, now }: Call<'createVideoLibrary'>): Answer<'createVideoLibrary'> {
  const request = readLibraryRequest(body)
  const library = world.addLibrary(request.Name, now)
  if (library === undefined) {
    throw refuseManagement(400, 'videoLibrary.limit_reached', null, 'No more video libraries can be added.')
  }
  return {
    status: 201,
    body: { ...asAsked(request), ...identity(library, world, now), ...DEFAULTS },
  }
}

/** Dates of a creation carry seven fraction digits, three more than dates elsewhere. */
function identity(library: VideoLibraryBacking, world: World, now: Date) {
  const created = now.toISOString().replace('Z', '0000Z')
  const random = world.drawsFor(`library-keys/${library.id}`)
  const drawn = fakeKey(random)
  // The deprecated third key has the value of the first.
  const [apiKey, readOnlyKey, oldKey] = world.canaries.libraryKeys ?? [drawn, fakeKey(random), drawn]
  return {
    Id: library.id,
    Name: library.name,
    VideoCount: 0,
    TrafficUsage: 0,
    StorageUsage: 0,
    DateCreated: created,
    DateModified: created,
    ApiKey: apiKey,
    ReadOnlyApiKey: readOnlyKey,
    ApiAccessKey: oldKey,
    PullZoneId: library.pullZoneId,
    StorageZoneId: library.storageZoneId,
  }
}

/** Early play exposes the originals, and quietly stays off where JIT encoding is on. */
function asAsked(request: LibraryRequest) {
  const earlyPlay = request.AllowEarlyPlay && !request.JitEncodingEnabled
  return {
    ...request,
    AllowEarlyPlay: earlyPlay,
    ExposeOriginals: earlyPlay,
    // Any of the four generation flags turns transcribing on, whatever the request says about it.
    EnableTranscribing: request.EnableTranscribing || GENERATION_FLAGS.some((name) => request[name]),
  }
}

/** One DRM object is there and one is null, since both occur. */
const DEFAULTS = {
  HasWatermark: false,
  WatermarkPositionLeft: 0,
  WatermarkPositionTop: 0,
  WatermarkWidth: 0,
  WatermarkHeight: 0,
  WatermarkVersion: 0,
  AdPartnerPublisherId: '',
  VastTagUrl: '',
  WebhookUrl: null,
  CaptionsFontSize: 20,
  CaptionsFontColor: '#ffffff',
  CaptionsBackground: '#000000',
  FontFamily: 'Rubik',
  UILanguage: 'en',
  PlayerTokenAuthenticationEnabled: false,
  AllowedReferrers: [],
  BlockedReferrers: [],
  ShowHeatmap: false,
  EnableContentTagging: true,
  CustomHTML: null,
  Controls: 'play-large,play,progress,current-time,mute,volume,captions,settings,pip,fullscreen',
  PlaybackSpeeds: '0.5,0.75,1,1.25,1.5,2',
  PlayerKeyColor: '#ff7755',
  EnableCaptionsInPlaylist: null,
  RememberPlayerPosition: false,
  UseSeparateAudioStream: false,
  FeatureFlags: null,
  RemoveMetadataFromFallbackVideos: false,
  ScaleVideoUsingBothDimensions: true,
  ExposeVideoMetadata: false,
  EnableCompactControls: false,
  PullZoneType: 0,
  EnableDRM: false,
  DrmVersion: 0,
  FirstVendorDrm: null,
  SecondVendorDrm: {
    Enabled: false,
    CertificateId: 0,
    CertificateExpirationDate: '0001-01-01T00:00:00',
    Provider: '',
    SdOnlyForL3: false,
  },
  DrmBasePriceOverride: null,
  DrmCostPerLicenseOverride: null,
  TranscribingPriceOverride: null,
  PremiumEncodingPriceOverride: null,
  MonthlyChargesTranscribing: 0,
  MonthlyChargesPremiumEncoding: 0,
  MonthlyChargesEnterpriseDrm: 0,
  Bitrate240p: 600,
  Bitrate360p: 800,
  Bitrate480p: 1_400,
  Bitrate720p: 2_800,
  Bitrate1080p: 5_000,
  Bitrate1440p: 8_000,
  Bitrate2160p: 25_000,
} satisfies Partial<LibraryAnswer>

const PREMIUM_TIER = 1
const FREE_CODECS = ['x264']
const CODECS = [...FREE_CODECS, 'vp9', 'hevc', 'av1']
const RESOLUTIONS = ['240p', '360p', '480p', '720p', '1080p', '1440p', '2160p']
const GENERATION_FLAGS = [
  'EnableTranscribingTitleGeneration',
  'EnableTranscribingDescriptionGeneration',
  'EnableTranscribingChaptersGeneration',
  'EnableTranscribingMomentsGeneration',
] as const

const off = or(z.boolean(), false)
const on = or(z.boolean(), true)
const texts = or(z.array(z.string()), [])

/** The contract's fields, transcribed a second time: the client's transcription is what is being tested. */
const Request = z.strictObject({
  Name: z.string('The library name is required.').min(1, 'The library name is required.'),
  ReplicationRegions: texts,
  PlayerVersion: or(z.int32(), 2),
  EncodingTier: z.literal([0, 1], 'The encoding tier is not valid.').default(0),
  JitEncodingEnabled: off,
  OutputCodecs: or(z.string(), 'x264'),
  EnabledResolutions: or(z.string(), '240p,360p,480p,720p,1080p'),
  BlockNoneReferrer: off,
  EnableMP4Fallback: off,
  KeepOriginalFiles: on,
  AllowDirectPlay: on,
  EnableMultiAudioTrackSupport: off,
  EnableTranscribing: off,
  TranscribingCaptionLanguages: texts,
  EnableTranscribingTitleGeneration: off,
  EnableTranscribingDescriptionGeneration: off,
  EnableTranscribingChaptersGeneration: off,
  EnableTranscribingMomentsGeneration: off,
  AllowEarlyPlay: off,
})
type LibraryRequest = z.output<typeof Request>

/** Reads a library request and holds it against every rule the contract states. Throws `Refusal` with the first broken. */
function readLibraryRequest(body: unknown): LibraryRequest {
  const request = readManagement(Request, body)
  const premium = request.EncodingTier === PREMIUM_TIER
  if (request.JitEncodingEnabled && !premium) {
    throw invalidField('JitEncodingEnabled', 'JIT encoding needs the premium encoding tier.')
  }
  requireItems('OutputCodecs', request.OutputCodecs, premium ? CODECS : FREE_CODECS)
  requireItems('EnabledResolutions', request.EnabledResolutions, RESOLUTIONS)
  if (!request.ReplicationRegions.every((region) => REPLICATION_REGIONS.includes(region))) {
    throw invalidField('ReplicationRegions', 'A replication region is not valid.')
  }
  return request
}

function requireItems(field: string, csv: string, allowed: readonly string[]): void {
  if (csv.split(',').some((item) => !allowed.includes(item))) {
    throw invalidField(field, `${field} must hold at least one of ${allowed.join(', ')}, separated by commas.`)
  }
}
