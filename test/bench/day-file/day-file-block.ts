/**
 * Lines of a day file as the contract describes them, extended logging included, in the mix of a busy pull zone: what is
 * played over and over, 3.5 % of it fetched from the origin or stale. Always the same ones, none like another.
 */
export interface DayFileBlock {
  /** Whole lines. */
  readonly bytes: Buffer
  readonly lines: number
  /** Lines that are MISS or STALE. */
  readonly picked: number
  /** The bytes sent, over all lines. */
  readonly bytesSent: number
}

/** The newest come first, as they are asked for. */
const LAST_AT = Date.UTC(2026, 10, 20)
const ADDRESSES = 65_536
const FILES = 4_096

/** Makes at least `size` bytes of them. */
export function dayFileBlock(size: number): DayFileBlock {
  const chance = new Chance()
  const addresses = Array.from({ length: ADDRESSES }, (_, index) => addressOf(index, chance))
  const files = Array.from(
    { length: FILES },
    (_, index) => `/${chance.of(FOLDERS)}/${index.toString(36)}/${chance.of(NAMES)}`,
  )
  const texts: string[] = []
  let length = 0
  let picked = 0
  let bytesSent = 0
  let atMs = LAST_AT
  while (length < size) {
    const cache = cacheOf(chance.next())
    const sent = Math.floor(Math.exp(chance.next() * 16))
    atMs -= Math.floor(chance.next() * 3)
    const line = `${cache}|${codeOf(chance.next())}|${atMs}|${sent}|390|${chance.of(addresses)}|${chance.of(REFERERS)}|https://${chance.next() < 0.9 ? 'video.example' : 'cdn.example.com'}${chance.of(files)}|${chance.of(EDGES)}|${chance.of(AGENTS)}|${chance.hex()}${chance.hex()}${chance.hex()}${chance.hex()}|${chance.of(COUNTRIES)}|${Math.max(0, sent - 380)}|${chance.of(RANGES)}|${chance.of(AUTHORIZATIONS)}\n`
    texts.push(line)
    length += line.length
    bytesSent += sent
    if (cache === 'MISS' || cache === 'STALE') picked += 1
  }
  return { bytes: Buffer.from(texts.join('')), lines: texts.length, picked, bytesSent }
}

/** A sequence of numbers that looks like chance and is the same each time (xorshift of 32 bits). */
class Chance {
  #state = 1

  /** From 0 to below 1. */
  next(): number {
    let state = this.#state
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    this.#state = state
    return (state >>> 0) / 2 ** 32
  }

  of<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.next() * choices.length)] as T
  }

  /** Eight digits. */
  hex(): string {
    return Math.floor(this.next() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  }
}

/** The platform shortens addresses unless told otherwise. */
function addressOf(index: number, chance: Chance): string {
  const part = (): number => Math.floor(chance.next() * 256)
  if (index % 10 === 0)
    return `2001:db8:${(part() * 256 + part()).toString(16)}:${(part() * 256 + part()).toString(16)}::`
  return `${1 + (part() % 222)}.${part()}.${part()}.0`
}

function cacheOf(chance: number): string {
  if (chance < 0.03) return 'MISS'
  if (chance < 0.035) return 'STALE'
  if (chance < 0.05) return '-'
  if (chance < 0.055) return 'BYPASS'
  if (chance < 0.058) return 'REVALIDATED'
  return chance < 0.059 ? 'UPDATING' : 'HIT'
}

function codeOf(chance: number): number {
  if (chance < 0.12) return 206
  if (chance < 0.17) return 304
  if (chance < 0.185) return 404
  if (chance < 0.188) return 403
  return chance < 0.189 ? 502 : 200
}

const FOLDERS = ['video', 'img', 'static', 'assets', 'api', 'live/hls']
const NAMES = [
  'video.mp4',
  'segment-00017.ts',
  'playlist.m3u8',
  'poster.webp?width=640&quality=80',
  'app.3f2a1c.js',
  'index.html',
  'thumbnail_1280x720.jpg',
]
const REFERERS = [
  '-',
  '-',
  '-',
  'https://www.example.com/',
  'https://shop.example.org/produkt/%C3%BCbersicht',
  'https://news.example.net/2026/11/articles/some-long-slug-here',
  'android-app://com.example/',
]
const EDGES = ['WA', 'DE', 'UK', 'SG', 'SYD', 'NY', 'LA', 'BR', 'JP', 'FR', 'WA1', 'DE2']
const COUNTRIES = ['DE', 'US', 'GB', 'FR', 'BR', 'JP', 'IN', 'AU', 'SG', 'PL', 'NL', '-']
const RANGES = ['-', '-', '-', '-', '-', '-', '-', 'bytes=0-1048575']
const AUTHORIZATIONS = [...Array.from({ length: 49 }, () => '-'), 'Bearer 5f0c2e9a7b1d4c36']
const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15 Überbrowser/1.0',
  'Mozilla/5.0 (compatible; ExampleBot/2.1; +https://bot.example/about.html)',
  'Lavf/60.16.100',
  'okhttp/4.12.0',
  'curl/8.5.0',
  'VLC/3.0.20 LibVLC/3.0.20',
  '-',
]
