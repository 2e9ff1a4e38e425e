import type { AlertRule } from '../../store/schema/alert-records.ts'
import { listFew } from '../../block-kit/plain-text.ts'
import type { Cdn } from '../../cdn/contract/cdn.ts'
import type { Configuration } from '../../config/live-configuration.ts'
import type { Settings } from '../../config/settings.ts'
import type { Checked, Finding } from '../../operations/declaration/examination.ts'
import type { Channels } from '../../operations/declaration/operation.ts'
import type { Clock } from '../../shared/clock.ts'
import type { BlockRefusal } from '../../slack/out/block-refusals.ts'
import type { WebApi } from '../../slack/out/web-api.ts'
import type { Identity } from '../../slack/people/identity.ts'
import type { Standing } from '../../store/replicas.ts'
import type { Store } from '../../store/store.ts'
import type { TimeSource } from '../clock-watch.ts'

export interface Patient {
  readonly settings: Settings
  readonly configuration: Pick<Configuration, 'roles' | 'file' | 'problems'>
  readonly clock: Clock
  readonly nodeVersion: string
  readonly slack: Pick<WebApi, 'call'>
  /** With the app-level token; undefined where Slack sends requests instead. */
  readonly slackApp: Pick<WebApi, 'call'> | undefined
  readonly channels: Channels
  /** Rejects as `askIdentity` does. */
  readonly identity: Promise<Identity>
  readonly cdn: Pick<Cdn, 'listApiKeys' | 'queryLogs'>
  /** The store, or why there is none to look at: a sentence part, or what went wrong as it was opened. */
  readonly store: Pick<Store, 'prove' | 'keepsCommits' | 'alertRules'> | string | Error
  /** Those that share the store; undefined where nobody does, or no bot runs. */
  readonly standing?: (() => Standing | undefined) | undefined
  /** What Slack refused of late; undefined where no bot runs. */
  readonly blockRefusals?: (() => readonly BlockRefusal[]) | undefined
  /** By how many seconds this machine's clock is ahead, as the last answer of each says. */
  readonly secondsAhead: ReadonlyMap<TimeSource, number>
  readonly signal: AbortSignal
}

export type Look = Omit<Checked, 'check'>

export interface Check {
  readonly name: string
  /** Only the bot can make it, or who has its store. */
  readonly ofBot?: boolean
  readonly look: (patient: Patient) => Promise<Look>
}

export function sound(seen: string): Look {
  return { seen, isUnknown: false, findings: [] }
}

/** It could not be looked at; what is wrong is found by another check, or passes. */
export function unknown(why: string): Look {
  return { seen: why, isUnknown: true, findings: [] }
}

export function found(...findings: readonly Finding[]): Look {
  return { seen: '', isUnknown: false, findings }
}

/** Something that is configured does not work. */
export function broken(cause: string, happened: string, remedy: string): Look {
  return found({ cause, stops: true, happened, remedy })
}

export function minor(cause: string, happened: string, remedy: string): Look {
  return found({ cause, stops: false, happened, remedy })
}

const MAX_NAMED = 5

export function named(all: readonly string[]): string {
  return listFew(all, MAX_NAMED)
}

/** Those of the configuration file, and all others where the store is open. */
export async function alertRulesOf({ configuration, store }: Patient): Promise<readonly AlertRule[]> {
  const isOpen = typeof store === 'object' && 'alertRules' in store
  return [...configuration.file.alertRules, ...(isOpen ? await store.alertRules.list() : [])]
}
