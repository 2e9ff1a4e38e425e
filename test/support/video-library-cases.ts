import type { VideoLibraryRequest } from '../../src/cdn/contract/video-library.ts'
import type { RawValues } from '../../src/shared/raw-values.ts'

/** Values as they are typed or entered, and the body they become. */
export interface LibraryCase {
  readonly title: string
  readonly values: RawValues
  readonly body: VideoLibraryRequest
}

/** All 19 fields of the request, each value it can have at least once, and what may be left to the platform. */
export const LIBRARY_CASES: readonly LibraryCase[] = [
  { title: 'a name alone', values: { name: '  Trailers ' }, body: { Name: 'Trailers' } },
  {
    title: 'every field, typed',
    values: {
      name: 'Trailers',
      replicationRegions: 'sg,NY',
      playerVersion: '2',
      encodingTier: 'premium',
      jitEncoding: 'on',
      outputCodecs: 'av1,x264',
      resolutions: '1080p,240p',
      blockNoneReferrer: 'on',
      mp4Fallback: 'true',
      keepOriginalFiles: 'yes',
      allowDirectPlay: 'off',
      multiAudioTrack: 'false',
      transcribing: 'on',
      captionLanguages: 'de,English',
      titleGeneration: 'on',
      descriptionGeneration: 'off',
      chaptersGeneration: 'on',
      momentsGeneration: 'off',
      allowEarlyPlay: 'off',
    },
    body: {
      Name: 'Trailers',
      ReplicationRegions: ['NY', 'SG'],
      PlayerVersion: 2,
      EncodingTier: 1,
      JitEncodingEnabled: true,
      OutputCodecs: 'x264,av1',
      EnabledResolutions: '240p,1080p',
      BlockNoneReferrer: true,
      EnableMP4Fallback: true,
      KeepOriginalFiles: true,
      AllowDirectPlay: false,
      EnableMultiAudioTrackSupport: false,
      EnableTranscribing: true,
      TranscribingCaptionLanguages: ['en', 'de'],
      EnableTranscribingTitleGeneration: true,
      EnableTranscribingDescriptionGeneration: false,
      EnableTranscribingChaptersGeneration: true,
      EnableTranscribingMomentsGeneration: false,
      AllowEarlyPlay: false,
    },
  },
  {
    title: 'lists as a form gives them, and the free tier',
    values: {
      name: 'Trailers',
      encodingTier: 'Free',
      outputCodecs: ['x264'],
      resolutions: ['2160p', '1440p', '720p', '480p', '360p'],
      replicationRegions: ['UK', 'SE', 'LA', 'SYD', 'BR', 'JH'],
      captionLanguages: ['fr'],
      allowEarlyPlay: 'on',
    },
    body: {
      Name: 'Trailers',
      EncodingTier: 0,
      OutputCodecs: 'x264',
      EnabledResolutions: '360p,480p,720p,1440p,2160p',
      ReplicationRegions: ['UK', 'SE', 'LA', 'SYD', 'BR', 'JH'],
      TranscribingCaptionLanguages: ['fr'],
      AllowEarlyPlay: true,
    },
  },
  {
    title: 'what is left to the platform is not sent',
    values: {
      name: 'Trailers',
      jitEncoding: 'default',
      transcribing: 'default',
      resolutions: [],
      captionLanguages: '',
    },
    body: { Name: 'Trailers' },
  },
  {
    title: 'a generation flag, which turns transcribing on',
    values: { name: 'Trailers', momentsGeneration: 'on' },
    body: { Name: 'Trailers', EnableTranscribing: true, EnableTranscribingMomentsGeneration: true },
  },
  {
    title: 'generation off leaves transcribing to the platform',
    values: { name: 'Trailers', titleGeneration: 'off' },
    body: { Name: 'Trailers', EnableTranscribingTitleGeneration: false },
  },
  {
    title: 'codes the platform may have added since',
    values: { name: 'Trailers', replicationRegions: 'hk,NY,HK', captionLanguages: 'EO,de' },
    body: { Name: 'Trailers', ReplicationRegions: ['NY', 'HK'], TranscribingCaptionLanguages: ['de', 'eo'] },
  },
]
