import { HIDDEN_AT_LEAST, SHOWN } from '../shared/secret.ts'
import type { ApiKey, ApiKeyList } from './api-keys.ts'
import { MAX_JSON_VALUES } from './json-shape.ts'
import { PlainJson } from './plain-json.ts'
import { RoleLists } from './role-lists.ts'
import { INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, MAX_LIST_ITEMS } from './wire-fields.ts'

/**
 * A page of keys that has nothing but what the contract says, read as `ApiKeyList` reads it but from its bytes, which stay as
 * they are: of a key its last four characters alone ever become text. Undefined for any other body, be it JSON or not, which
 * is then the schema's: to be read leniently, or refused with the names of its fields.
 */
export function plainApiKeys(bytes: Buffer): ApiKeyList | undefined {
  try {
    return READER.read(bytes)
  } finally {
    READER.letGo()
  }
}

const LIST_FIELDS = [
  Buffer.from('Items'),
  Buffer.from('CurrentPage'),
  Buffer.from('TotalItems'),
  Buffer.from('HasMoreItems'),
]
const [ITEMS, CURRENT_PAGE, TOTAL_ITEMS] = [0, 1, 2]
const KEY_FIELDS = [Buffer.from('Id'), Buffer.from('Key'), Buffer.from('Roles')]
const [ID, KEY] = [0, 1]
/** What a key has at most beside its roles, as values of JSON are counted: by openings and commas. */
const VALUES_OF_KEY = 5
const VALUES_OF_LIST = LIST_FIELDS.length + 1

const NO_BYTES = new Uint8Array(0)
const NO_KEYS: readonly ApiKey[] = Object.freeze([])
const NO_ROLES: readonly string[] = Object.freeze([])
const ELLIPSIS = 0x2026
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const COMMA = 0x2c

/** Reads one page after the other. Each method reads on from where the one before has ended; undefined ends all of it. */
class KeyPage {
  #bytes: Uint8Array = NO_BYTES
  readonly #json = new PlainJson()
  readonly #roles = new RoleLists(this.#json)
  #values = 0

  letGo(): void {
    this.#bytes = NO_BYTES
    this.#json.begin()
    this.#roles.begin()
  }

  read(bytes: Buffer): ApiKeyList | undefined {
    this.#bytes = bytes
    this.#values = VALUES_OF_LIST
    const json = this.#json
    json.begin(bytes)
    this.#roles.begin(bytes)
    let Items = NO_KEYS
    let CurrentPage: number | undefined
    let TotalItems: number | undefined
    let HasMoreItems: boolean | undefined
    let seen = 0
    if (!json.takes(OPEN_BRACE)) return undefined
    do {
      const field = json.name(LIST_FIELDS)
      if (field < 0 || (seen & (1 << field)) !== 0) return undefined
      seen |= 1 << field
      if (json.takesNull()) continue
      if (field === ITEMS) {
        const items = this.#items()
        if (items === undefined) return undefined
        Items = items
      } else if (field === CURRENT_PAGE || field === TOTAL_ITEMS) {
        const number = int32Of(json.integer())
        if (number === undefined) return undefined
        if (field === CURRENT_PAGE) CurrentPage = number
        else TotalItems = number
      } else {
        HasMoreItems = json.flag()
        if (HasMoreItems === undefined) return undefined
      }
    } while (json.takes(COMMA))
    if (!json.takes(CLOSE_BRACE) || !json.isAtEnd()) return undefined
    return { Items, CurrentPage, TotalItems, HasMoreItems }
  }

  #items(): readonly ApiKey[] | undefined {
    const json = this.#json
    if (!json.takes(OPEN_BRACKET)) return undefined
    if (json.takes(CLOSE_BRACKET)) return NO_KEYS
    const keys: ApiKey[] = []
    do {
      const key = this.#key()
      if (key === undefined || keys.length === MAX_LIST_ITEMS) return undefined
      keys.push(key)
      this.#values += VALUES_OF_KEY + key.Roles.length
      if (this.#values > MAX_JSON_VALUES) return undefined
    } while (json.takes(COMMA))
    return json.takes(CLOSE_BRACKET) ? Object.freeze(keys) : undefined
  }

  #key(): ApiKey | undefined {
    const json = this.#json
    let Id: bigint | undefined
    let redactedKey: string | undefined
    let Roles = NO_ROLES
    let seen = 0
    if (!json.takes(OPEN_BRACE)) return undefined
    do {
      const field = json.name(KEY_FIELDS)
      if (field < 0 || (seen & (1 << field)) !== 0) return undefined
      seen |= 1 << field
      if (json.takesNull()) continue
      if (field === ID) {
        Id = int64Of(json.integer())
        if (Id === undefined) return undefined
      } else if (field === KEY) {
        redactedKey = this.#redacted()
        if (redactedKey === undefined) return undefined
      } else {
        const roles = this.#roles.next()
        if (roles === undefined) return undefined
        Roles = roles
      }
    } while (json.takes(COMMA))
    return json.takes(CLOSE_BRACE) ? apiKey(Id, redactedKey, Roles) : undefined
  }

  /** What `redact` makes of a text. */
  #redacted(): string | undefined {
    const bytes = this.#bytes
    const start = this.#json.at + 1
    const end = this.#json.plainText()
    if (end < 0) return undefined
    if (end - start < SHOWN + HIDDEN_AT_LEAST) return '…'
    return String.fromCharCode(
      ELLIPSIS,
      bytes[end - 4] ?? 0,
      bytes[end - 3] ?? 0,
      bytes[end - 2] ?? 0,
      bytes[end - 1] ?? 0,
    )
  }
}

function int32Of(value: number | bigint | undefined): number | undefined {
  return typeof value === 'number' && value >= INT32_MIN && value <= INT32_MAX ? value : undefined
}

function int64Of(value: number | bigint | undefined): bigint | undefined {
  if (value === undefined) return undefined
  const id = BigInt(value)
  return id >= INT64_MIN && id <= INT64_MAX ? id : undefined
}

function apiKey(Id: bigint | undefined, redactedKey: string | undefined, Roles: readonly string[]): ApiKey {
  return { Id, redactedKey, Roles }
}

const READER = new KeyPage()
