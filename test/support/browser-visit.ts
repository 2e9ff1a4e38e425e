import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import type { SeatKey } from '../../src/playground/page/viewpoint.ts'

const WAIT_TIMEOUT_MS = 15_000
const MAX_SHOWN_CHARACTERS = 1_500
const SIZE = '(({ scrollWidth, scrollHeight }) => ({ scrollWidth, scrollHeight }))(document.documentElement)'
const MAX_TABS = 60
/** For the browser, as text: its types would offer the whole program things that Node does not have. */
const NAME_OF_FOCUS = `(() => {
  const { activeElement: active } = document
  const label = document.getElementById(active.getAttribute('aria-labelledby'))
  return label?.innerText ?? active.getAttribute('aria-label') ?? active.querySelector('.name')?.innerText ?? active.innerText
})()`
const VIEWPORT = { width: 1_440, height: 900 } as const

/** Whose eyes one looks through, where to, and in which light. */
export interface Look {
  readonly who?: SeatKey
  /** The name of a channel, `dm` or `home`. */
  readonly at?: string
  readonly panel?: 'platform' | 'requests' | 'audit' | 'none'
  /** What the system prefers; the page follows it. */
  readonly system?: 'light' | 'dark'
  readonly viewport?: { readonly width: number; readonly height: number }
}

/** The page in one window, with everything that went wrong in it. */
export class Visit {
  readonly page: Page
  /** What the console complained about, scripts that failed, dialogs of the browser, and calls to elsewhere. */
  readonly complaints: readonly string[]
  readonly #context: BrowserContext

  private constructor(context: BrowserContext, page: Page, complaints: readonly string[]) {
    this.#context = context
    this.page = page
    this.complaints = complaints
  }

  static async open(browser: Browser, url: string, look: Look): Promise<Visit> {
    const { who = 'olga', at = 'ops', panel = 'none', system = 'light', viewport = VIEWPORT } = look
    const context = await browser.newContext({ viewport, colorScheme: system, reducedMotion: 'reduce' })
    context.setDefaultTimeout(WAIT_TIMEOUT_MS)
    const page = await context.newPage()
    const complaints = watch(page, url)
    const live = page.waitForResponse((response) => response.url().includes('/events'))
    await page.goto(`${url}?${new URLSearchParams({ who, at, panel }).toString()}`)
    await live
    return new Visit(context, page, complaints)
  }

  /** What is shown in the middle: messages, or Home. */
  get content(): Locator {
    return this.page.locator('#content')
  }

  /** The newest message that says this. */
  message(words: string | RegExp): Locator {
    return this.content.locator('article').filter({ hasText: words }).last()
  }

  /** The form in front. */
  get modal(): Locator {
    return this.page.getByRole('dialog')
  }

  /** The form in front, once it has this title. */
  titled(title: string): Locator {
    return this.page.getByRole('dialog', { name: title, exact: true })
  }

  /** Writes a line into the composer and sends it. */
  async type(line: string): Promise<void> {
    const composer = this.page.locator('#say')
    await composer.fill(line)
    await composer.press('Enter')
  }

  /** Types into a field of the form, by its label. */
  async enter(label: string, text: string): Promise<void> {
    await this.modal.getByRole('textbox', { name: label }).fill(text)
  }

  /** Takes a choice in a menu of the form, by the menu's label; in one that the app fills it is searched. */
  async choose(label: string, option: string): Promise<void> {
    const field = this.modal.getByRole('combobox', { name: label })
    if ((await field.locator('option').count()) > 0) return void (await field.selectOption(option))
    await field.fill(option)
    await field.press('Enter')
  }

  /** Presses a button by the words on it, in the form unless another place is given. */
  async press(words: string, place: Locator = this.modal): Promise<void> {
    await button(place, words).click()
  }

  /** Presses a key until what has the focus is called so. */
  async tabTo(name: string, key = 'Tab'): Promise<void> {
    for (let step = 0; step < MAX_TABS; step += 1) {
      if ((await this.focused()).startsWith(name)) return
      await this.page.keyboard.press(key)
    }
    throw new Error(`${MAX_TABS} times ${key} did not lead to ${name}, but to ${await this.focused()}`)
  }

  /** What a person would call what has the focus: its label, or the words on it. */
  async focused(): Promise<string> {
    const words = await this.page.evaluate<string>(NAME_OF_FOCUS)
    return words.replace(/ \*$| \(optional\)$/, '').trim()
  }

  /** By how many pixels the page is wider and higher than the window, in which only its parts are to be scrolled. */
  async excess(): Promise<readonly [width: number, height: number]> {
    const { scrollWidth, scrollHeight } = await this.page.evaluate<Record<string, number>>(SIZE)
    const { width, height } = this.page.viewportSize() ?? VIEWPORT
    return [(scrollWidth ?? 0) - width, (scrollHeight ?? 0) - height]
  }

  /** The end of what can be read on the page, for who has to find out why a test failed. */
  async shown(): Promise<string> {
    const [body, modal] = await Promise.all([this.content.innerText(), this.modal.allInnerTexts()])
    return [body.slice(-MAX_SHOWN_CHARACTERS), ...modal, ...this.complaints].join('\n')
  }

  async close(): Promise<void> {
    await this.#context.close()
  }
}

/** The button with exactly these words on it, whatever else it is called. */
function button(place: Locator, words: string): Locator {
  return place.locator('button').filter({ hasText: new RegExp(`^${RegExp.escape(words)}$`) })
}

function watch(page: Page, url: string): readonly string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) complaints.push(`call to ${request.url()}`)
  })
  return complaints
}
