/**
 * Telling keys by their looks, in what people type. A key that has been typed counts as known to others, however well it
 * is kept from then on; so whoever typed it has to hear that.
 */

/** What the keys of well-known services begin with, or consist of; a value of such a form is nothing else. */
const KNOWN_SHAPES: readonly RegExp[] = [
  // Slack's tokens and the addresses that post for an app.
  /\bx(?:ox[a-z]|app|oxe\.xox[bp])-[\w-]{10,}/,
  /\bhooks\.slack\.com\/(?:services|workflows|triggers|commands|actions)\/\w+/,
  // Two ids in one word, or the groups of one in another order, as content networks make their keys.
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12,20}-[0-9a-f]{4}/i,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-[0-9a-f]{4}-[0-9a-f]{4}\b/i,
  // Code hosting, package registries, build services.
  /\bgh[opsur]_\w{30,}|\bgithub_pat_\w{40,}/,
  /\bgl(?:pat|ptt|dt|rt|cbt|soat|ft|agent)-[\w-]{20,}/,
  /\bnpm_[A-Za-z0-9]{36}|\bpypi-[\w-]{40,}|\brubygems_[0-9a-f]{40,}|\bdckr_(?:pat|oat)_[\w-]{20,}|\bhf_[A-Za-z]{30,}/,
  // Clouds.
  /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/,
  /\bAIza[\w-]{35}|\bya29\.[\w-]{20,}|\bGOCSPX-[\w-]{20,}/,
  /\bdo[opr]_v1_[0-9a-f]{40,}|\bhvs\.[\w-]{20,}|\bdapi[0-9a-f]{32}|\bpul-[0-9a-f]{40}|\blin_api_\w{30,}/,
  /\b(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{20,}/,
  // Payment, mail, monitoring, chat, machine learning.
  /\b[rs]k_(?:live|test)_\w{16,}|\bwhsec_\w{20,}|\bsq0(?:atp|csp)-[\w-]{20,}|\bshp(?:at|ca|pa|ss)_[0-9a-f]{32}/i,
  /\bSG\.[\w-]{16,}|\bkey-[0-9a-f]{32}|\bxkeysib-[0-9a-f]{40,}|\b[0-9a-f]{32}-us\d{1,2}\b/,
  /\bgls[ac]_\w{20,}|\bglc_[\w+/=]{20,}|\bNRAK-[0-9A-Z]{20,}|\bsntrys_[\w+/=]{20,}/,
  /\b\d{8,10}:AA[\w-]{30,}|\bsk-(?:[a-z]+-)*[A-Za-z0-9_-]{20,}/,
  // Tokens that say what they are.
  /(?<=\beyJ[\w-]{8,})\.eyJ[\w-]{8,}\./,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /\bBearer\s+[\w.~+/-]{16,}|\bBasic\s+[A-Za-z0-9+/]{16,}={0,2}/i,
  // A password in an address.
  /[a-z0-9+.-]:\/\/[^\s/:@]*:[^\s/@]{3,}@/i,
]

/** 40 characters of base64, as clouds make secrets; no hash of a commit, nor a proof of who owns a domain, which says so. */
const BARE_SECRET =
  /(?<![\w+/.~-])(?=[A-Za-z0-9+/]{40}(?![\w+/=.~-]))(?<!verif[\w-]*=)(?=[^A-Z]{0,39}[A-Z])(?=[^a-z]{0,39}[a-z])(?=\D{0,39}\d).{40}/g
/** Of chance in each character: words and paths have less. */
const MIN_SECRET_BITS = 4.4

export function holdsKeyShape(text: string): boolean {
  const bare = text.match(BARE_SECRET) ?? []
  return KNOWN_SHAPES.some((shape) => shape.test(text)) || bare.some((word) => bitsOf(word) >= MIN_SECRET_BITS)
}

const MIN_LENGTH = 20
const MIN_BITS = 3.5
/** Letters and digits as one would find them in no word and no name. */
const WORD = /[A-Za-z0-9_+/=.~-]{20,512}/g
/** Ids of this program and of others: random, and no secret. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Whether a word of the text looks as if chance had made it: at least 20 letters and digits, mixed, with 3.5 bits of
 * chance each. Good for texts in which no such thing belongs; host names and records of mail have parts like it.
 */
export function holdsChance(text: string): boolean {
  // A point may end the sentence.
  const words = (text.match(WORD) ?? []).map((word) => (word.endsWith('.') ? word.slice(0, -1) : word))
  return words.some((word) => isMixed(word) && !UUID.test(word) && bitsOf(word) >= MIN_BITS)
}

function isMixed(word: string): boolean {
  return word.length >= MIN_LENGTH && /[A-Za-z]/.test(word) && (word.match(/\d/g) ?? []).length >= 2
}

/** Shannon's measure: how many bits each character carries, by how often it comes. */
function bitsOf(word: string): number {
  const counts = new Map<string, number>()
  for (const character of word) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((bits, count) => bits - (count / word.length) * Math.log2(count / word.length), 0)
}
