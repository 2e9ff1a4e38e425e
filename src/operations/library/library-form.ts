import type { FormStep } from '../operation.ts'
import type { LIBRARY_FIELDS } from './library-fields.ts'

type Name = keyof typeof LIBRARY_FIELDS

/** Four pages, from what every library needs to what few do. What is left alone is left to the platform. */
export const LIBRARY_FORM: readonly FormStep<Name>[] = [
  step('New video library', 'The name is all that is needed. What you leave alone is left to the platform.', [
    'name',
    'replicationRegions',
    'playerVersion',
  ]),
  step('Encoding', 'How uploaded videos are encoded and what is kept of them.', [
    // Rules that bind fields together stay on one page, where both can be mended.
    'encodingTier',
    'jitEncoding',
    'outputCodecs',
    'resolutions',
    'mp4Fallback',
    'keepOriginalFiles',
    'multiAudioTrack',
  ]),
  step('Playback and access', 'How videos are played, and by whom.', [
    'allowEarlyPlay',
    'allowDirectPlay',
    'blockNoneReferrer',
  ]),
  step('Transcribing', 'Billed by the platform. Generating anything from speech turns transcribing on.', [
    'transcribing',
    'captionLanguages',
    'titleGeneration',
    'descriptionGeneration',
    'chaptersGeneration',
    'momentsGeneration',
  ]),
]

function step(title: string, intro: string, fields: readonly Name[]): FormStep<Name> {
  return { title, intro, fields: () => fields }
}
