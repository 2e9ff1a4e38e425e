import type { Settings } from './config.ts'
import type { FileConfig } from './config-file.ts'
import { DEFAULT_POLICY, type Policy } from './execution/policy.ts'
import type { NamedZone } from './operations/field.ts'
import { OPERATIONS } from './operations/index.ts'
import { type RoleSources, roleSources } from './slack/role-sources.ts'
import type { AlertRule } from './store/alert-records.ts'

/** The configuration file cannot be used, with everything that is wrong with it, each as a sentence. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration file has ${problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`}`)
    this.problems = problems
  }
}

/** What the configuration file says, read anew. Throws `ConfigurationError`. */
type FileReader = () => FileConfig

/**
 * Reads settings and configuration file; what reads files is loaded where one is named. Rejects with `ConfigurationError` when
 * it cannot be used.
 */
export async function openConfiguration(
  settings: Settings,
  readFile: (path: string) => string,
): Promise<Configuration> {
  const { CONFIG_FILE: path, OPS_CHANNEL: opsChannel } = settings
  if (path === undefined) return new Configuration(settings, undefined)
  const { readConfigFile } = await import('./config-file.ts')
  return new Configuration(settings, () => {
    const read = readConfigFile(textOf(path, readFile), OPERATIONS, { opsChannel })
    // Names from here are kept here: nobody removes them by command.
    if (read.ok) return { ...read.config, zones: read.config.zones.map((zone) => ({ ...zone, managed: true })) }
    throw new ConfigurationError(read.problems)
  })
}

/** What settings and configuration file say together, as it is now: the file can be read again while the bot runs. */
export class Configuration {
  readonly #settings: Settings
  readonly #readFile: FileReader | undefined
  #now: { readonly roles: RoleSources; readonly file: FileConfig | undefined }

  /** `readFile` where a file is named. */
  constructor(settings: Settings, readFile: FileReader | undefined) {
    this.#settings = settings
    this.#readFile = readFile
    this.#now = this.#readAll()
  }

  get roles(): RoleSources {
    return this.#now.roles
  }

  get policy(): Policy {
    return this.#now.file?.policy ?? DEFAULT_POLICY
  }

  get zones(): readonly NamedZone[] {
    return this.#now.file?.zones ?? []
  }

  /** Alert rules that no command changes. */
  get alertRules(): readonly AlertRule[] {
    return this.#now.file?.alertRules ?? []
  }

  /** Channels shared with other organisations in which there may be alerts. */
  get sharedChannels(): readonly string[] {
    return this.#now.file?.sharedChannels ?? []
  }

  /** Whether there is a file at all. */
  get hasFile(): boolean {
    return this.#now.file !== undefined
  }

  /** Reads the file again. Throws `ConfigurationError`, and then everything stays as it was. */
  reload(): void {
    this.#now = this.#readAll()
  }

  #readAll(): { readonly roles: RoleSources; readonly file: FileConfig | undefined } {
    const { ADMINS: admins, OPERATORS: operators, VIEWERS: viewers } = this.#settings
    const file = this.#readFile?.()
    return { roles: roleSources({ admins, operators, viewers }, file), file }
  }
}

function textOf(path: string, readFile: (path: string) => string): string {
  try {
    return readFile(path)
  } catch {
    throw new ConfigurationError([`CONFIG_FILE names ${path}, which cannot be read.`])
  }
}
