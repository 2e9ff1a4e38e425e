import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Browser } from 'playwright-core'
import { hasBrowser, launchBrowser } from '../../support/browser.ts'
import { type Bench, NotMeasurable } from '../bench.ts'

const ROOT = new URL('../../..', import.meta.url).pathname
const START_TIMEOUT_MS = 60_000

/** From the newcomer's command to the first answer they see. The browser is there already, as theirs is. */
export const playgroundBench: Bench = {
  name: 'playground',
  rounds: 1,
  goals: [
    {
      work: '`npm run playground` to the first answered command in the browser',
      ours: 'answered',
      unit: 'time',
      comparison: 'ours',
      atMost: { full: 4_000, quick: 10_000 },
    },
  ],
  async prepare() {
    if (!hasBrowser()) throw new NotMeasurable('there is no Chromium; CHROMIUM can name one that lies elsewhere')
    const browser = await launchBrowser()
    return {
      measure: async () => ({ answered: await firstAnswer(browser) }),
      [Symbol.asyncDispose]: () => browser.close(),
    }
  },
}

async function firstAnswer(browser: Browser): Promise<number> {
  const page = await browser.newPage()
  const started = performance.now()
  // A group of its own, so that the end reaches npm, its shell and the playground alike.
  const child = spawn('npm', ['run', 'playground'], { cwd: ROOT, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  try {
    await page.goto(await addressIn(child.stdout))
    await page.locator('#say').fill('/cdn whoami')
    await page.locator('#say').press('Enter')
    await page.locator('#content article').getByText('you have the role operator').waitFor()
    return performance.now() - started
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    await ended
  }
}

/** Reads what the playground prints until it says where to look. Rejects when it ends or takes a minute. */
async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let said = ''
  output.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    const [, address] = /Open\s+(http:\S+)/.exec(said) ?? []
    if (address !== undefined) resolve(address)
  })
  output.on('end', () => reject(new Error(`The playground ended:\n${said}`)))
  const signal = AbortSignal.timeout(START_TIMEOUT_MS)
  signal.addEventListener('abort', () => reject(new Error(`The playground did not say where it is:\n${said}`)))
  return promise
}
