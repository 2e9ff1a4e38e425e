import type { FormValues } from '../slack/blocks/element-values.ts'
import type { Workspace } from '../slack/state/workspace.ts'
import type { Clock } from '../../shared/clock.ts'
import type { RecordedEntry } from '../../store/schema/audit-entry.ts'
import type { CdnEmulator } from '../cdn/emulator.ts'
import type { Controls } from '../stage/controls.ts'
import type { SlackEmulator } from '../slack/emulator.ts'

/** Who looks at the page: times and names are shown for this person. */
export interface Reader {
  readonly userId: string
  readonly zone: string
  readonly now: Date
  /** What stands for an id on the page; an unknown one is shown as it is. */
  readonly workspace: Pick<Workspace, 'findMember' | 'findChannel' | 'groups'>
}

/** Where blocks are shown: what the form around them holds, and what makes their ids unique on the page. */
export interface Scene {
  readonly reader: Reader
  /** The timestamp of a message, or `view` and the name the app gave a view. */
  readonly key: string
  /** Values and complaints by block id; messages have none. */
  readonly form?: {
    readonly values: FormValues
    readonly errors: Readonly<Record<string, string>>
  }
}

export interface Sources {
  readonly slack: SlackEmulator
  readonly cdn: Pick<CdnEmulator, 'world' | 'requests'>
  readonly controls: Controls
  /** The newest entries of the bot's own record, newest first. */
  readonly audit: (limit: number) => Promise<readonly RecordedEntry[]>
  readonly clock: Clock
}
