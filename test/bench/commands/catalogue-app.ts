import { readFileSync } from 'node:fs'
import { startApp } from '../../../src/app.ts'
import { readSettings } from '../../../src/config.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { systemClock } from '../../../src/shared/clock.ts'
import { createLog } from '../../../src/shared/log.ts'
import { Scrubber } from '../../../src/shared/scrubber.ts'

/** The bot with all that people can ask for, or with three of it: the same program but for that. */

const THREE: ReadonlySet<string> = new Set(['storage stats', 'whoami', 'help'])

const operations = process.argv[2] === 'three' ? OPERATIONS.filter(({ name }) => THREE.has(name)) : OPERATIONS
const readFile = (path: string): string => readFileSync(path, 'utf8')
const log = createLog({ level: 'warn', scrubber: new Scrubber(), write: (line) => process.stderr.write(line) })
const app = await startApp({
  settings: readSettings({ variables: process.env, readFile }),
  clock: systemClock,
  log,
  readFile,
  operations,
  onRefused: (token, code) => {
    throw new Error(`${token} was refused: ${code}`)
  },
})
await app.linked
process.send?.('ready')
process.once('disconnect', () => process.exit(0))
