import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyProgram, type Replacement } from '../program-copy.ts'
import type { Canary } from './spellings.ts'

/**
 * A careless hand in the program: it registers the planted secrets, and then lets each spelling of them out by every way
 * there is, whole and in two pieces.
 */
const LEAK: readonly Replacement[] = [
  {
    file: 'src/start.ts',
    from: '  exitOnUncaughtException(log)\n',
    to: `  exitOnUncaughtException(log)
  const planted = JSON.parse(readFileSync(process.env['PLANTED'] ?? '', 'utf8'))
  for (const value of planted.values) scrubber.register(value)
  for (const text of planted.texts) {
    log.debug({ leaked: text, deep: { list: [{ text }] } }, 'leaked ' + text)
    log.child({ child: text }).trace('from a child')
    log.error({ err: new TypeError('outer', { cause: Object.assign(new Error('no ' + text), { text }) }) }, 'an error')
    console.log('printed', text)
    console.error({ inspected: { text } })
    process.stdout.write('in ' + text.slice(0, text.length / 2))
    process.stdout.write(Buffer.from(text.slice(text.length / 2) + ' pieces\\n'))
    complain('complained ' + text)
  }
  setImmediate(() => { throw new Error('uncaught ' + planted.texts.join(' ')) })
  await new Promise(() => undefined)
`,
  },
]

const WITHOUT_SCRUBBER: readonly Replacement[] = [
  { file: 'src/shared/scrubber.ts', from: 'of this.#spansIn(text)', to: 'of [] as { start: number; end: number }[]' },
]

/** What a careless program writes to both of its streams, with the scrubber or without it. */
export async function leaked(planted: readonly Canary[], scrubs: boolean): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cdn-ops-leak-'))
  await using copy = await copyProgram(scrubs ? LEAK : [...LEAK, ...WITHOUT_SCRUBBER])
  try {
    const file = join(folder, 'planted.json')
    const values = planted.map(({ value }) => value)
    await writeFile(file, JSON.stringify({ values, texts: planted.flatMap((each) => textsOf(each, scrubs)) }))
    const env = { ...SETTINGS, STORE_URL: join(folder, 'store.sqlite'), PLANTED: file }
    return await outputOf(copy.main, env)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Of its beginning as much as a text has that was cut off there. The scrubber knows nothing of digits; the search does. */
function textsOf({ value, spellings }: Canary, scrubs: boolean): readonly string[] {
  const { 'as its beginning': own = '', 'as digits': digits = '', ...whole } = spellings
  return [...Object.values(whole), ...(scrubs ? [] : [digits]), value.slice(0, value.indexOf(own) + own.length)]
}

/** Nothing is reached under these: the program ends before it tries. */
const SETTINGS = {
  SLACK_BOT_TOKEN: 'xoxb-nobody',
  SLACK_APP_TOKEN: 'xapp-nobody',
  CDN_API_URL: 'https://api.example.com',
  CDN_LOGGING_URL: 'https://logs.example.com',
  CDN_API_KEY: 'key-of-nobody',
  ADMINS: 'U0123456789',
  LOG_LEVEL: 'trace',
} as const
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

async function outputOf(main: string, env: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [main], { env, maxBuffer: MAX_OUTPUT_BYTES }, (error, output, errors) => {
      // It ends by the error that nothing catches.
      if (error?.code === 1 && output.includes('printed')) resolve(output + errors)
      else
        reject(
          new Error(`The careless program ended otherwise: ${error?.code}\n${output.slice(-500)}${errors.slice(-500)}`),
        )
    })
  })
}
