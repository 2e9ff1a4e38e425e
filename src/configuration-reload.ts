import { type Message, message } from './block-kit/message.ts'
import { md, plainOf } from './block-kit/mrkdwn.ts'
import { bullets, section } from './block-kit/sections.ts'
import { type Configuration, ConfigurationError } from './configuration.ts'
import type { Notifier } from './alerts/notifier.ts'
import { counted } from './operations/counted.ts'
import type { Log } from './shared/log.ts'

/** Those who have to hear of a file that was read again. */
interface Listeners {
  readonly log: Log
  readonly notifier: Notifier
  readonly opsChannel: string | undefined
}

/**
 * Reads the configuration file again and says so, with what follows. A file with a mistake changes nothing and is worth
 * a message, too: whoever wrote it believes that it holds now.
 */
export async function reload(configuration: Configuration, { log, notifier, opsChannel }: Listeners): Promise<void> {
  const tell = async (said: Message): Promise<void> => {
    if (opsChannel === undefined) return
    const told = notifier.post(opsChannel, said)
    await told.catch((failed: unknown) => log.error({ err: failed }, 'nobody could be told about the configuration'))
  }
  const before = configuration.policy.version
  try {
    configuration.reload()
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    log.error({ problems: error.problems }, 'the configuration file was not taken: everything stays as it was')
    return tell(notTaken(error.problems))
  }
  if (!configuration.hasFile)
    return log.warn({}, 'there is no configuration file to read again: CONFIG_FILE names none')
  log.info({ policy: configuration.policy.version }, 'the configuration file was read again')
  return tell(taken(configuration, configuration.policy.version !== before))
}

function taken({ policy, zones, alertRules, roles: { file } }: Configuration, policyChanged: boolean): Message {
  const grants = Object.values(file)
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
