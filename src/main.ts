import { findImportsWhereTheySay } from './own-imports.ts'

/** What `node` is started with. All else is imported after it is said how imports are found. */
findImportsWhereTheySay()
const mode = process.argv[2]
// Until the bot hears it, a signal to read the configuration file again would end the process. It is not read yet.
if (mode === undefined) process.on('SIGHUP', () => undefined)
const { run } = await import('./process.ts')
await run(mode)
