import { ENCODING_TIERS } from '../../cdn/dialect.ts'
import type { VideoLibraryRequest } from '../../cdn/video-library-request.ts'
import { languageLabel, regionLabel } from './code-names.ts'

/**
 * What the platform bills for a library like this, one sentence each. Prices are the platform's and change without
 * notice, so none is named: a number here would be believed long after it was true.
 */
export function libraryCosts(request: VideoLibraryRequest): readonly string[] {
  return [...encodingCosts(request), ...transcribingCosts(request), ...regionCosts(request)]
}

/** What nobody can take back, or CDN Ops cannot. */
export function libraryIrreversible(request: VideoLibraryRequest): readonly string[] {
  const regions = request.ReplicationRegions ?? []
  return [
    'This creates a video library with a storage zone and a pull zone of its own; CDN Ops cannot change or remove them.',
    ...(regions.length > 0
      ? [`Replication regions cannot be removed later: ${regions.map(regionLabel).join(', ')}.`]
      : []),
    ...(request.AllowEarlyPlay === true
      ? ['Early play also exposes the original files through the CDN; what was fetched meanwhile cannot be taken back.']
      : []),
  ]
}

function encodingCosts({ EncodingTier, OutputCodecs, JitEncodingEnabled }: VideoLibraryRequest): readonly string[] {
  if (EncodingTier !== ENCODING_TIERS.Premium) return []
  const codecs = (OutputCodecs ?? '').split(',').filter((codec) => codec !== '')
  const which = codecs.length === 0 ? 'the codecs the platform chooses' : codecs.join(', ')
  return [
    `Premium encoding is billed by the minute of video and by codec: ${which}.`,
    ...(JitEncodingEnabled === true ? ['JIT encoding is part of premium encoding and is billed with it.'] : []),
  ]
}

function transcribingCosts(request: VideoLibraryRequest): readonly string[] {
  if (request.EnableTranscribing !== true) return []
  const languages = request.TranscribingCaptionLanguages ?? []
  const which = languages.length === 0 ? 'those the platform chooses' : languages.map(languageLabel).join(', ')
  return [`Transcribing is billed by the minute and by language: ${which}.`]
}

function regionCosts({ ReplicationRegions }: VideoLibraryRequest): readonly string[] {
  const regions = ReplicationRegions ?? []
  if (regions.length === 0) return []
  return [
    `Each replication region holds a further copy of every file, billed as storage: ${regions.map(regionLabel).join(', ')}.`,
  ]
}
