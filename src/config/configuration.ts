import type { Notifier } from '../alerts/notifier.ts'
import { type Message, message } from '../block-kit/message.ts'
import { md, plainOf } from '../block-kit/mrkdwn.ts'
import { bullets, section } from '../block-kit/sections.ts'
import { DEFAULT_POLICY, type Policy } from '../execution/policy.ts'
import { counted } from '../block-kit/amounts.ts'
import type { NamedZone } from '../operations/field.ts'
import type { Log } from '../shared/log.ts'
import { type RoleSources, roleSources } from '../slack/role-sources.ts'
import type { AlertRule } from '../store/alert-records.ts'
import { type FileConfig, readConfigFile } from './file.ts'
import type { Settings } from './settings.ts'

/** The configuration file cannot be used, with everything that is wrong with it, each as a sentence. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration file has ${problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`}`)
    this.problems = problems
  }
}

/** What settings and configuration file say together, as it is now: the file can be read again while the bot runs. */
export class Configuration {
  readonly #settings: Settings
  readonly #readFile: (path: string) => string
  #file: FileConfig | undefined

  /** Throws `ConfigurationError` when the file cannot be used. */
  constructor(settings: Settings, readFile: (path: string) => string) {
    this.#settings = settings
    this.#readFile = readFile
    this.#file = this.#fileNow()
  }

  #fileNow(): FileConfig | undefined {
    const { CONFIG_FILE: path } = this.#settings
    if (path === undefined) return undefined
    const read = readConfigFile(textOf(path, this.#readFile))
    if (read.ok) return read.config
    throw new ConfigurationError(read.problems)
  }

  get roles(): RoleSources {
    const { ADMINS: admins, OPERATORS: operators, VIEWERS: viewers } = this.#settings
    return roleSources({ admins, operators, viewers }, this.#file)
  }

  get policy(): Policy {
    return this.#file?.policy ?? DEFAULT_POLICY
  }

  get zones(): readonly NamedZone[] {
    return this.#file?.zones ?? []
  }

  get alertRules(): readonly AlertRule[] {
    return this.#file?.alertRules ?? []
  }

  /** Channels shared with other organisations in which there may be alerts. */
  get sharedChannels(): readonly string[] {
    return this.#file?.sharedChannels ?? []
  }

  /**
   * Reads the file again and says so, with what follows. A file with a mistake changes nothing and is worth a message,
   * too: whoever wrote it believes that it holds now.
   */
  async reload(log: Log, notifier: Notifier): Promise<void> {
    const opsChannel = this.#settings.OPS_CHANNEL
    const tell = async (said: Message): Promise<void> => {
      if (opsChannel === undefined) return
      const told = notifier.post(opsChannel, said)
      await told.catch((failed: unknown) => log.error({ err: failed }, 'nobody could be told about the configuration'))
    }
    const before = this.policy.version
    try {
      this.#file = this.#fileNow()
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error
      log.error({ problems: error.problems }, 'the configuration file was not taken: everything stays as it was')
      return tell(notTaken(error.problems))
    }
    if (this.#file === undefined)
      return log.warn({}, 'there is no configuration file to read again: CONFIG_FILE names none')
    log.info({ policy: this.policy.version }, 'the configuration file was read again')
    return tell(taken(this.#file, this.policy.version !== before))
  }
}

function textOf(path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path)
  } catch {
    throw new ConfigurationError([`CONFIG_FILE names ${path}, which cannot be read.`])
  }
}

function taken({ policy, zones, alertRules, roles }: FileConfig, policyChanged: boolean): Message {
  const grants = Object.values(roles)
  const people = new Set(grants.flatMap(({ users }) => [...users])).size
  const groups = new Set(grants.flatMap((grant) => [...grant.groups])).size
  const holds = [
    counted(policy.rules.length, 'rule'),
    counted(zones.length, 'name of a zone', 'names of zones'),
    ...(alertRules.length === 0 ? [] : [counted(alertRules.length, 'alert rule')]),
    `${counted(people, 'person', 'people')} and ${counted(groups, 'user group')} with a role`,
  ].join(', ')
  const line = md`The configuration file was read again and holds now: ${holds}.${policyChanged ? ` ${CANCELLED}` : ''}`
  return message({ text: plainOf(line), blocks: [section(line)] })
}

const CANCELLED =
  'What the rules ask for has changed: what waits for approval under the older ones is cancelled, and whoever asked is told.'

function notTaken(problems: readonly string[]): Message {
  const line = md`:warning: The configuration file was not taken, so everything stays as it was. Mend it, then send the signal again.`
  return message({
    text: [plainOf(line), ...problems].join('\n'),
    blocks: [section(line), bullets(problems)],
  })
}
