import { writeSync } from 'node:fs'
import { FailingSqlite } from '../support/failing-sqlite.ts'

/**
 * Loaded into the bot's process before the bot itself (`--import`): from SIGUSR2 on the disk keeps no commit about a
 * change. With `FAILING_SYNC=kept` the next process finds it all the same.
 */
const STANDARD_ERROR = 2
const disk = new FailingSqlite()
disk.install()
process.on('SIGUSR2', () => {
  disk.break({ code: 'fsync', within: /^update "changes"/, carriedOut: process.env['FAILING_SYNC'] === 'kept' })
  writeSync(STANDARD_ERROR, 'no commit is kept\n')
})
