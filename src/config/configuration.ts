import { createHash } from 'node:crypto'
import type { Notifier } from '../delivery/notifier.ts'
import { type Message, wordsMessage } from '../block-kit/message.ts'
import { md } from '../block-kit/mrkdwn.ts'
import type { Policy } from '../execution/policy/policy.ts'
import type { NamedZone } from '../operations/declaration/field.ts'
import type { Log } from '../shared/log.ts'
import { Secret } from '../shared/secret.ts'
import { type RoleSources, roleSources } from '../slack/people/role-sources.ts'
import type { AlertRule } from '../store/schema/alert-records.ts'
import { ConfigurationError, type FileConfig, loadConfigFile } from './file.ts'
import type { SettingName, Settings } from './settings.ts'

const HASH_DIGITS = 16
/** How one copy runs: these may differ between replicas, and the tokens of Slack while they are replaced. */
const OWN_SETTINGS: ReadonlySet<string> = new Set<SettingName>([
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_API_URL',
  'PORT',
  'HEALTH_PORT',
  'STORE_URL',
  'CONFIG_FILE',
  'ENV_FILE',
  'LOG_LEVEL',
])

/** What settings and configuration file say together, as it is now: the file can be read again while the bot runs. */
export class Configuration {
  readonly #settings: Settings
  readonly #readFile: (path: string) => string
  readonly #isDemonstration: boolean
  #file: FileConfig

  /** Throws `ConfigurationError` when the file cannot be used. */
  constructor(settings: Settings, readFile: (path: string) => string, isDemonstration = false) {
    this.#settings = settings
    this.#isDemonstration = isDemonstration
    this.#readFile = readFile
    this.#file = loadConfigFile(settings.CONFIG_FILE, readFile)
  }

  get roles(): RoleSources {
    const { ADMINS: admins, OPERATORS: operators, VIEWERS: viewers } = this.#settings
    return roleSources({ admins, operators: this.#isDemonstration ? 'everybody' : operators, viewers }, this.#file)
  }

  get policy(): Policy {
    return this.#file.policy
  }

  get hash(): string {
    const settings = Object.entries(this.#settings)
      .filter(([name]) => !OWN_SETTINGS.has(name))
      .map(([name, value]) => [name, value instanceof Secret ? value.reveal() : value])
    const plain = (_: string, value: unknown): unknown =>
      value instanceof Set || value instanceof Map ? [...value] : typeof value === 'bigint' ? String(value) : value
    const agreed = JSON.stringify([settings, this.#file], plain)
    return createHash('sha256').update(agreed).digest('hex').slice(0, HASH_DIGITS)
  }

  get zones(): readonly NamedZone[] {
    return this.#file.zones
  }

  get alertRules(): readonly AlertRule[] {
    return this.#file.alertRules
  }

  /** What is wrong with the file as it is now, which may be another than what is in force. */
  problems(): readonly string[] {
    try {
      loadConfigFile(this.#settings.CONFIG_FILE, this.#readFile)
      return []
    } catch (error) {
      if (error instanceof ConfigurationError) return error.problems
      throw error
    }
  }

  get sharedChannels(): readonly string[] {
    return this.#file.sharedChannels
  }

  /**
   * Reads the file again and posts what follows. A file with a mistake changes nothing and is worth a message, too:
   * whoever wrote it believes that it is in force.
   */
  async reload(log: Log, notifier: Notifier): Promise<void> {
    const { CONFIG_FILE: path, OPS_CHANNEL: opsChannel } = this.#settings
    if (path === undefined) return log.warn({}, 'there is no configuration file to read again: CONFIG_FILE names none')
    let notice: Message
    try {
      const before = this.policy.version
      this.#file = loadConfigFile(path, this.#readFile)
      log.info({ policy: this.policy.version }, 'configuration file reloaded')
      notice = reloadedMessage(this.policy.version !== before)
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error
      log.error({ problems: error.problems }, 'invalid configuration file: the previous one stays in force')
      notice = invalidMessage(error.problems)
    }
    if (opsChannel === undefined) return
    await notifier.post(opsChannel, notice).catch((error: unknown) => {
      log.error({ err: error }, 'notice about the configuration could not be posted')
    })
  }
}

const CANCELLED = 'The rules have changed: what waits for approval under the older ones is cancelled.'
const REFUSED = md`:warning: The configuration file was not taken, so everything stays as it was. Mend it, then send the signal again.`

function reloadedMessage(isPolicyChanged: boolean): Message {
  const line = md`The configuration file was read again, and is in force.${isPolicyChanged ? ` ${CANCELLED}` : ''}`
  return wordsMessage([line])
}

function invalidMessage(problems: readonly string[]): Message {
  return wordsMessage([REFUSED], { list: problems.map((problem) => md`${problem}`) })
}
