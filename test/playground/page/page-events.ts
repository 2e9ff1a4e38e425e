/** The regions that came with one event, by their names. */
export type RegionMarkup = Readonly<Record<string, string | undefined>>

/** What an open page is sent. */
export class PageEvents {
  readonly #reader: ReadableStreamDefaultReader<string>
  #rest = ''

  private constructor(reader: ReadableStreamDefaultReader<string>) {
    this.#reader = reader
  }

  static async open(url: string): Promise<PageEvents> {
    const { body } = await fetch(url)
    if (body === null) throw new Error('There are no events')
    return new PageEvents(body.pipeThrough(new TextDecoderStream()).getReader())
  }

  /** The next event that is wanted; those before it are skipped. */
  async next(isWanted: (regions: RegionMarkup) => boolean): Promise<RegionMarkup> {
    for (;;) {
      const end = this.#rest.indexOf('\n\n')
      if (end < 0) {
        const { value, done } = await this.#reader.read()
        if (done) throw new Error('The events have ended')
        this.#rest += value
        continue
      }
      const data = /^event: regions\ndata: (.*)$/m.exec(this.#rest.slice(0, end))?.[1]
      this.#rest = this.#rest.slice(end + 2)
      if (data === undefined) continue
      const regions = JSON.parse(data) as RegionMarkup
      if (isWanted(regions)) return regions
    }
  }

  close(): void {
    void this.#reader.cancel()
  }
}
