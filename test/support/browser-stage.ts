import { type Browser, chromium } from 'playwright-core'
import { FastClock } from '../../src/playground/stage/fast-clock.ts'
import { openPage, type Page as ServedPage } from '../../src/playground/page/page-server.ts'
import { SEATS } from '../../src/playground/page/viewpoint.ts'
import { type Stage, type StageOptions, startStage } from '../../src/playground/stage/stage.ts'
import { type Look, Visit } from './browser-visit.ts'
import { HurriedClock } from './hurried-clock.ts'

/** A process that has just started may not ask for logs before this has passed. */
const LOG_WARM_UP_MS = 10_100
/** All of them are open before the clock is put forward: else opening them would seem to take too long. */
const LINKS = 2

/** The playground as `npm run playground` serves it, at free ports, with a browser to look at it. */
export class BrowserStage {
  readonly stage: Stage
  readonly #page: ServedPage
  readonly #browser: Browser
  /** The bot's; puts what waits for minutes forward. */
  readonly clock: HurriedClock

  private constructor(stage: Stage, clock: HurriedClock, page: ServedPage, browser: Browser) {
    this.stage = stage
    this.clock = clock
    this.#page = page
    this.#browser = browser
  }

  /** With `oneTime`, the bot's time is that of the emulators, and `fast-time` makes all of it run faster. */
  static async start({
    settings = {},
    oneTime = false,
  }: Pick<StageOptions, 'settings'> & { readonly oneTime?: boolean } = {}): Promise<BrowserStage> {
    const hurried = new HurriedClock()
    const clock = oneTime ? new FastClock(hurried) : new FastClock()
    const botClock = oneTime ? clock : hurried
    const page = await openPage(0)
    const panel = { CDN_PANEL_URL: `${page.url}account#{place}-{id}` }
    const [browser, stage] = await Promise.all([
      launchBrowser(),
      startStage({ clock, botClock, settings: { ...panel, ...settings } }),
    ])
    await stage.slack.until(() => stage.slack.linkCount === LINKS)
    hurried.turn(LOG_WARM_UP_MS)
    page.show(stage)
    return new BrowserStage(stage, hurried, page, browser)
  }

  /** Opens the page in a fresh profile as somebody who has nothing open and to whom nothing was said yet. */
  async visit(look: Look = {}): Promise<Visit> {
    this.stage.slack.person(SEATS[look.who ?? 'olga'].userId).reload()
    return Visit.open(this.#browser, this.#page.url, look)
  }

  /** Plays something on the page. Fails when anything in the browser complained, however well it ended. */
  async plays(look: Look, work: (visit: Visit) => Promise<void>): Promise<void> {
    const visit = await this.visit(look)
    try {
      await work(visit)
      if (visit.complaints.length > 0) throw new Error(`The browser complained: ${visit.complaints.join('\n')}`)
    } catch (error) {
      throw new Error(`${String(error)}\nThe page showed:\n${await visit.shown()}`, { cause: error })
    } finally {
      await visit.close()
    }
  }

  /** Turns one of the switches behind the scenes. */
  turn(control: string, on: boolean): void {
    this.stage.controls.set(control, on)
  }

  async close(): Promise<void> {
    await this.#browser.close()
    await this.#page.close()
    await this.stage.close()
  }
}

/** Debian's; another one can be named for machines where it lies elsewhere. */
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const LAUNCH_TIMEOUT_MS = 30_000
/**
 * Parts of Chromium that are left out. It takes the last of such lists only, so most of this one are Playwright's, which
 * keep the browser from calling anybody and from changing how it loads and paints.
 */
const LEFT_OUT = [
  // The list below the address bar: two pages made anew for each window, at a second of work on a core.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]
/** No sandbox because tests run as root in containers; the rest keeps the browser from calling anybody. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${LEFT_OUT.join(',')}`,
]

/** Starts Chromium without a window and with a profile of its own, which goes when it is closed. */
async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS, timeout: LAUNCH_TIMEOUT_MS })
}
