import { createHash } from 'node:crypto'
import type { Notifier } from '../delivery/notifier.ts'
import { type Message, wordsMessage } from '../block-kit/message.ts'
import { md } from '../block-kit/mrkdwn.ts'
import type { Log } from '../shared/log.ts'
import { Secret } from '../shared/secret.ts'
import { type RoleSources, roleSources } from '../slack/people/role-sources.ts'
import { ConfigurationError, type FileConfig, loadConfigFile } from './config-file.ts'
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

export type Configuration = ReturnType<typeof readConfiguration>

/**
 * What settings and configuration file say together, as it is now: the file can be read again while the bot runs. Throws
 * `ConfigurationError` when the file cannot be used.
 */
export function readConfiguration(settings: Settings, readFile: (path: string) => string, isDemonstration = false) {
  const { CONFIG_FILE: path, OPS_CHANNEL: opsChannel, ADMINS: admins, OPERATORS, VIEWERS: viewers } = settings
  const operators = isDemonstration ? 'everybody' : OPERATORS
  let file = loadConfigFile(path, readFile)
  return {
    get roles(): RoleSources {
      return roleSources({ admins, operators, viewers }, file)
    },
    /** What the configuration file said when it was taken last. */
    get file(): FileConfig {
      return file
    },
    get hash(): string {
      const agreed = Object.entries(settings)
        .filter(([name]) => !OWN_SETTINGS.has(name))
        .map(([name, value]) => [name, value instanceof Secret ? value.reveal() : value])
      // A template is known by what it makes.
      agreed.push(['CDN_PANEL_URL', settings.CDN_PANEL_URL?.('dns-zone', 1n)?.href])
      const plain = (_: string, value: unknown): unknown => (value instanceof Set ? [...value] : value)
      const text = JSON.stringify([agreed, file], plain)
      return createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS)
    },
    /** What is wrong with the file as it is now, which may be another than what is in force. */
    problems(): readonly string[] {
      try {
        loadConfigFile(path, readFile)
        return []
      } catch (error) {
        if (error instanceof ConfigurationError) return error.problems
        throw error
      }
    },
    /**
     * Reads the file again and posts what follows. A file with a mistake changes nothing and is worth a message, too:
     * whoever wrote it believes that it is in force.
     */
    async reload(log: Log, notifier: Notifier): Promise<void> {
      if (path === undefined)
        return log.warn({}, 'there is no configuration file to read again: CONFIG_FILE names none')
      let notice: Message
      try {
        const before = file.policy.version
        file = loadConfigFile(path, readFile)
        log.info({ policy: file.policy.version }, 'configuration file reloaded')
        const cancelled = file.policy.version === before ? '' : ` ${CANCELLED}`
        notice = wordsMessage([md`The configuration file was read again, and is in force.${cancelled}`])
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error
        log.error({ problems: error.problems }, 'invalid configuration file: the previous one stays in force')
        notice = wordsMessage([REFUSED], { list: error.problems.map((problem) => md`${problem}`) })
      }
      if (opsChannel === undefined) return
      await notifier.post(opsChannel, notice).catch((error: unknown) => {
        log.error({ err: error }, 'notice about the configuration could not be posted')
      })
    },
  }
}

const CANCELLED = 'The rules have changed: what waits for approval under the older ones is cancelled.'
const REFUSED = md`:warning: The configuration file was not taken, so everything stays as it was. Mend it, then send the signal again.`
