import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface ScratchFolder extends Disposable {
  readonly path: string
}

/** A new folder for inputs that are made on the fly. It goes when it is disposed of, and with the process at the latest. */
export function scratchFolder(): ScratchFolder {
  const path = mkdtempSync(join(tmpdir(), 'cdn-ops-bench-'))
  const remove = (): void => rmSync(path, { recursive: true, force: true })
  process.once('exit', remove)
  return {
    path,
    [Symbol.dispose]: () => {
      process.off('exit', remove)
      remove()
    },
  }
}
