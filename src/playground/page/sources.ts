import type { Clock } from '../../shared/clock.ts'
import type { RecordedEntry } from '../../store/audit-entry.ts'
import type { CdnEmulator } from '../cdn/emulator.ts'
import type { Controls } from '../controls.ts'
import type { SlackEmulator } from '../slack/emulator.ts'

export interface Sources {
  readonly slack: SlackEmulator
  readonly cdn: Pick<CdnEmulator, 'world' | 'requests'>
  readonly controls: Controls
  /** The newest entries of the bot's own record, newest first. */
  readonly audit: (limit: number) => Promise<readonly RecordedEntry[]>
  readonly config?: string
  readonly clock: Clock
}
