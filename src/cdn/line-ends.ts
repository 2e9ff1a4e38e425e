/** How many bytes are looked through at a time, at most: with what is found in them they stay in the core's own cache. */
export const WINDOW_BYTES = 32 * 1024
const LINE_FEED = 10
/** The engine is told in pages. Two hold the bytes and what is seen beyond them, two a place of four bytes for each. */
const PAGE_BYTES = 64 * 1024
const PAGES = 4
const PLACES_AT = PAGE_BYTES

/**
 * Finds where lines end, sixteen bytes at a time. Asked of `indexOf` line by line that is the largest part of reading a
 * day file, since going into the engine and back costs as much as looking. So it is done by a function of WebAssembly, and
 * by `indexOf` on a processor that cannot compare sixteen bytes at once.
 */
export class LineEnds {
  readonly #bytes: Uint8Array
  readonly #places: Int32Array
  readonly #find: ((length: number) => number) | undefined

  constructor(module: () => object | undefined = usualModule) {
    const compiled = module()
    const exports = compiled === undefined ? undefined : exportsOf(compiled)
    const room = exports?.memory.buffer ?? new ArrayBuffer(PAGES * PAGE_BYTES)
    this.#bytes = new Uint8Array(room, 0, WINDOW_BYTES)
    this.#places = new Int32Array(room, PLACES_AT)
    this.#find = exports?.find
  }

  /** Of the bytes that were looked through last: where each line feed is, counted from the first of them. Behind the last one is anything. */
  get places(): Int32Array {
    return this.#places
  }

  /** How many line feeds are in the bytes, of which there are at most `WINDOW_BYTES`. */
  find(bytes: Buffer): number {
    const { length } = bytes
    if (this.#find === undefined) return this.#findPlainly(bytes)
    this.#bytes.set(bytes)
    let count = this.#find(length)
    // What is left of other bytes behind these was looked through with the last sixteen.
    while (count > 0 && (this.#places[count - 1] ?? 0) >= length) count -= 1
    return count
  }

  #findPlainly(bytes: Buffer): number {
    let count = 0
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
      this.#places[count] = at
      count += 1
    }
    return count
  }
}

/** What is used of it. The compiler knows it as a part of browsers only. */
declare const WebAssembly: {
  validate(bytes: Uint8Array): boolean
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  /** Looks through so many of the first bytes, and a few more, and says how many places it noted. */
  readonly find: (length: number) => number
}

function exportsOf(module: object): Exports {
  return new WebAssembly.Instance(module).exports as Exports
}

let known: { readonly module: object | undefined } | undefined

/** Compiled when it is first needed, and once. */
function usualModule(): object | undefined {
  known ??= { module: compiled() }
  return known.module
}

/** Instructions and types, with the numbers that the WebAssembly specification gives them. */
const LOOP = 0x03
const IF = 0x04
const END = 0x0b
const BRANCH_IF = 0x0d
const GET = 0x20
const SET = 0x21
const TEE = 0x22
const STORE = 0x36
const NUMBER = 0x41
const IS_LESS = 0x49
const TRAILING_ZEROS = 0x68
const ADD = 0x6a
const SUBTRACT = 0x6b
const AND = 0x71
const SHIFT_RIGHT = 0x76
const LOAD_16 = [0xfd, 0x00, 0x00, 0x00]
const NUMBER_16 = [0xfd, 0x0c]
const ARE_EQUAL_16 = [0xfd, 0x23]
const FIRST_BITS_16 = [0xfd, 0x64]
const I32 = 0x7f
const FUNCTION = 0x60
const NOTHING = 0x40

/** What a module begins with: its mark, and the version of the format. */
const HEAD = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]

/** What the function is given, and its variables: numbers of 32 bits. */
const LENGTH = 0
const AT = 1
const OUT = 2
const FOUND = 3

const INSTRUCTIONS = [
  [NUMBER, ...signed(PLACES_AT), SET, OUT],
  [LOOP, NOTHING],
  // found = a bit for each of the sixteen bytes from `at` that is a line feed
  [GET, AT, ...LOAD_16, ...NUMBER_16, ...Array.from({ length: 16 }, () => LINE_FEED)],
  [...ARE_EQUAL_16, ...FIRST_BITS_16, TEE, FOUND],
  [IF, NOTHING],
  [LOOP, NOTHING],
  // *out = at + the place of the lowest bit; out += 4
  [GET, OUT, GET, AT, GET, FOUND, TRAILING_ZEROS, ADD, STORE, 2, 0],
  [GET, OUT, NUMBER, 4, ADD, SET, OUT],
  // found = found without its lowest bit; again, while there is one
  [GET, FOUND, GET, FOUND, NUMBER, 1, SUBTRACT, AND, TEE, FOUND, BRANCH_IF, 0],
  [END],
  [END],
  // at += 16; again, while at < length
  [GET, AT, NUMBER, 16, ADD, TEE, AT, GET, LENGTH, IS_LESS, BRANCH_IF, 0],
  [END],
  [GET, OUT, NUMBER, ...signed(PLACES_AT), SUBTRACT, NUMBER, 2, SHIFT_RIGHT],
  [END],
]

/** The module: one function of one number to one number, and a memory of its own. Undefined where the engine refuses it. */
function compiled(): object | undefined {
  const code = [1, 3, I32, ...INSTRUCTIONS.flat()]
  const bytes = Uint8Array.from([
    ...HEAD,
    ...section(1, [1, FUNCTION, 1, I32, 1, I32]),
    ...section(3, [1, 0]),
    ...section(5, [1, 1, PAGES, PAGES]),
    ...section(7, [2, ...name('memory'), 2, 0, ...name('find'), 0, 0]),
    ...section(10, [1, ...signed(code.length), ...code]),
  ])
  return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : undefined
}

function section(id: number, content: readonly number[]): readonly number[] {
  return [id, ...signed(content.length), ...content]
}

function name(text: string): readonly number[] {
  return [text.length, ...Buffer.from(text)]
}

/** A number that is not negative as LEB128 with a sign, seven bits to the byte. Without the sign it reads as the same. */
function signed(number: number): readonly number[] {
  return number < 0x40 ? [number] : [(number & 0x7f) | 0x80, ...signed(number >>> 7)]
}
