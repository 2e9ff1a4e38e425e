import type { Clock } from '../../../shared/clock.ts'
import type { ChangeFeed } from './change-feed.ts'
import { SlackError } from './slack-error.ts'

const MAX_FILES = 500
/** Slack takes 1 GB; an emulator that keeps files in memory takes less. */
export const MAX_FILE_BYTES = 50_000_000

export interface StoredFile {
  readonly id: string
  readonly name: string
  readonly title: string
  /** What was uploaded, or undefined while only an address was given out. */
  readonly content: Buffer | undefined
  readonly complete: boolean
}

export class Files {
  readonly #clock: Clock
  readonly #feed: ChangeFeed
  readonly #files = new Map<string, StoredFile>()

  constructor(clock: Clock, feed: ChangeFeed) {
    this.#clock = clock
    this.#feed = feed
  }

  find(id: string): StoredFile | undefined {
    return this.#files.get(id)
  }

  announce(name: string): StoredFile {
    const id = `F${this.#clock.newId().slice(0, 10).toUpperCase()}`
    const [oldest] = this.#files.keys()
    if (this.#files.size >= MAX_FILES && oldest !== undefined) this.#files.delete(oldest)
    return this.#put({ id, name, title: name, content: undefined, complete: false })
  }

  receive(id: string, content: Buffer): boolean {
    const file = this.#files.get(id)
    if (file === undefined || file.content !== undefined) return false
    this.#put({ ...file, content })
    return true
  }

  /** Ends an upload. Throws `file_not_found` when there are no bytes, `invalid_arguments` when it is done already. */
  complete(id: string, title: string | undefined): StoredFile {
    const file = this.#files.get(id)
    if (file?.content === undefined) throw new SlackError('file_not_found')
    if (file.complete) throw new SlackError('invalid_arguments')
    return this.#put({ ...file, title: title ?? file.name, complete: true })
  }

  delete(id: string): boolean {
    return this.#files.delete(id)
  }

  #put(file: StoredFile): StoredFile {
    this.#files.set(file.id, file)
    this.#feed.changed()
    return file
  }
}
