import { domainToUnicode } from 'node:url'
import type { DnsRecordTypeName } from '../../cdn/contract/enums.ts'
import { hidesSomething } from '../../shared/untrusted.ts'

interface ShownTexts {
  readonly name?: string | undefined
  readonly value?: string | undefined
  readonly comment?: string | undefined
}

/**
 * What a name or value may be taken for: names in letters beyond ASCII that look like others, writing that runs the
 * other way, and characters nobody sees. None of it is forbidden; a person who reviews a record has to know.
 */
export function lookAlikeWarnings(type: DnsRecordTypeName, { name, value = '', comment = '' }: ShownTexts) {
  return [
    ...hostWarnings(name),
    ...hostWarnings(hostIn(type, value)),
    ...(hidesSomething(value)
      ? ['The value holds characters that cannot be seen or that reorder text; they are shown as \\u{…}.']
      : []),
    ...(/[\r\n\t]/.test(value) ? ['The value holds line ends or tabs, which are sent with it.'] : []),
    ...(hidesSomething(comment) ? ['The comment holds characters that cannot be seen or that reorder text.'] : []),
  ]
}

const HOSTS: ReadonlySet<DnsRecordTypeName> = new Set(['CNAME', 'Flatten', 'PTR', 'NS', 'MX', 'SRV', 'SVCB', 'HTTPS'])

function hostIn(type: DnsRecordTypeName, value: string): string | undefined {
  if (type === 'Redirect') return URL.canParse(value) ? new URL(value).hostname : undefined
  return HOSTS.has(type) ? value.split(' ')[0] : undefined
}

/** Only names in their ASCII form of other letters can be mistaken; all that is plain ASCII is what it looks like. */
function hostWarnings(host = ''): readonly string[] {
  return host
    .split('.')
    .filter((label) => /^xn--/i.test(label))
    .flatMap(labelWarnings)
}

function labelWarnings(label: string): readonly string[] {
  const letters = domainToUnicode(label)
  if (letters === '' || letters === label.toLowerCase())
    return [`${label} looks like the ASCII form of other letters, and is none.`]
  const scripts = SCRIPTS.filter(({ has }) => has.test(letters)).map(({ script }) => script)
  const shape = Array.from(letters, (letter) => LOOKS_LIKE.get(letter) ?? letter).join('')
  const stands = `${label} stands for ${letters}`
  if (scripts.length > 1 && !TOGETHER.some((usual) => scripts.every((script) => usual.includes(script)))) {
    return [`${stands}, which mixes ${scripts.join(' and ')} letters: it can be taken for another name.`]
  }
  // eslint-disable-next-line no-control-regex -- the range is that of ASCII
  if (/^[\x00-\x7F]*$/.test(shape)) return [`${stands}, which looks like ${shape} in Latin letters and is not.`]
  return scripts.some((script) => RIGHT_TO_LEFT.has(script))
    ? [`${stands}, which runs from right to left: its parts may be shown in another order.`]
    : [`${stands}.`]
}

const SCRIPTS = (
  'Latin Cyrillic Greek Armenian Georgian Cherokee Hebrew Arabic Thai Devanagari ' +
  'Han Hiragana Katakana Hangul Bopomofo'
)
  .split(' ')
  .map((script) => ({ script, has: new RegExp(`\\p{Script=${script}}`, 'u') }))
/** Scripts that people write together. */
const TOGETHER: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Hangul'],
  ['Latin', 'Han', 'Bopomofo'],
]
const RIGHT_TO_LEFT = new Set(['Hebrew', 'Arabic'])

/** After each Latin letter those that look like it. */
const LOOK_ALIKES = 'aаαɑ bьЬ cсϲ dԁ eеҽ gɡ hһհ iіıι jјϳ kкκ lӏ mм nոп oоοօ pрρ qԛ rг sѕ tтτ uυս vѵν wԝω xхχ yуγ zᴢ'

const LOOKS_LIKE: ReadonlyMap<string, string> = new Map(
  LOOK_ALIKES.split(' ').flatMap(([latin = '', ...others]) => others.map((other) => [other, latin] as const)),
)
