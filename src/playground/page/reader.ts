import type { ShownView } from '../slack/person.ts'
import type { Workspace } from '../slack/state/workspace.ts'

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
  readonly form?: Pick<ShownView, 'values' | 'errors'>
}
