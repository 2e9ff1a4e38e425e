import { readFileSync } from 'node:fs'
import * as z from 'zod'

const PACKAGE = new URL('../../package.json', import.meta.url)

/** What the start script runs behind its launcher: flags of Node, then the program. The image runs the same. */
export function startCommand(): readonly string[] {
  const { scripts } = Package.parse(JSON.parse(readFileSync(PACKAGE, 'utf8')))
  const [, command] = /^node \.node\/run\.mjs node (.+)$/.exec(scripts.start) ?? []
  if (command === undefined) throw new Error(`“${scripts.start}” starts the bot in an unknown way`)
  return command.split(' ')
}

/** The flags of Node among them. */
export function startFlags(): readonly string[] {
  return startCommand().filter((word) => word.startsWith('-'))
}

const Package = z.object({ scripts: z.object({ start: z.string() }) })
