import { DRM_VERSIONS, ENCODING_TIERS } from '../../cdn/dialect.ts'
import { PULL_ZONE_TYPES } from '../../cdn/enums.ts'
import { fieldInWords, type FieldWords, numbered, said } from '../stored-fields.ts'
import { languageLabel, regionLabel } from './code-names.ts'

/** How the fields of a library are said, in requests and in answers: numbers and codes by name. */
export const LIBRARY_WORDS: FieldWords = {
  EncodingTier: numbered(ENCODING_TIERS),
  DrmVersion: numbered(DRM_VERSIONS),
  PullZoneType: numbered(PULL_ZONE_TYPES),
  ReplicationRegions: coded(regionLabel),
  TranscribingCaptionLanguages: coded(languageLabel),
}

/** One field of a library in words; long text is cut to `maxCodePoints`, 200 unless given. */
export function libraryWords(field: string, value: unknown, maxCodePoints?: number): string {
  return fieldInWords(LIBRARY_WORDS, field, value, maxCodePoints)
}

function coded(label: (code: string) => string): (value: unknown) => string {
  return (value) => {
    if (!Array.isArray(value) || value.length === 0) return said(value)
    return value.map((code) => label(said(code))).join(', ')
  }
}
