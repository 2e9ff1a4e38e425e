import type { BrowserStage } from '../support/browser-stage.ts'
import type { Look, Visit } from '../support/browser-visit.ts'

/** What a picture shows. Each is played on the same stage, after those before it. */
export interface State {
  /** Of the file, without its ending. */
  readonly name: string
  readonly look: Look
  /** Brings the page into the state. Ends when it can be seen. */
  readonly play: (visit: Visit, playground: BrowserStage) => Promise<void>
}
