import { findImportsWhereTheySay } from './own-imports.ts'

/** What `node` is started with. All else is imported after it is said how imports are found. */
findImportsWhereTheySay()
const { run } = await import('./process.ts')
await run(process.argv[2])
