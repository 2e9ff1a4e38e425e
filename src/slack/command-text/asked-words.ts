/**
 * What people ask in words that name no command, by how it begins, and the command that answers it. `{zone}` is the pull zone
 * that they name, `{rest}` what follows it, `{word}` their first word, `{since}` words for a time.
 */
const QUESTIONS: readonly (readonly [words: RegExp, command: string])[] = [
  [/^(?:errors?|[1-5](?:xx|\d\d))\b/, 'logs {zone} {word} {since}'],
  [/^(?:top|busiest|slow|slowest)\b/, 'logs {zone} {since} --by path'],
  [/^(?:tail|lines|requests)\b/, 'logs {zone}'],
  [/^(?:maintenance|quiet|downtime)\b/, 'alerts silence {zone} {rest}'],
  [/^(?:deploy|deployed|release|released)\b/, 'alerts mark {zone} {rest}'],
  [/^(?:thresholds?|limits?|rules?)\b/, 'alerts list'],
  [/^(?:monitor|notify)\b/, 'alerts watch {zone}'],
  [/^(?:stop|unmonitor)\b/, 'alerts remove {zone}'],
  [/^(?:escalate|page)\b/, 'alerts assign {zone}'],
  [/\b(?:added|changed|did|happened)\b/, 'history {zone} {since}'],
  [/^(?:open|active|broken)\b/, 'status {zone}'],
  [/^(?:who|access|permissions?|roles?)$/, 'whoami'],
  [/^(?:config|ping|settings|version)\b/, 'doctor'],
]

const SINCE = /\b(?:today|yesterday|last (?:hour|night|week)|this week)\b/

/** The command for a question; undefined where nothing says what is asked. */
export function commandForQuestion(words: readonly string[], zonePlace: number): string | undefined {
  const asked = words.join(' ').toLowerCase()
  const [, command] = QUESTIONS.find(([pattern]) => pattern.test(asked)) ?? []
  const [zone = '', ...rest] = zonePlace < 0 ? [] : words.slice(zonePlace)
  return command
    ?.replace('{word}', () => words[0]?.toLowerCase() ?? '')
    .replace('{zone}', () => zone)
    .replace('{since}', SINCE.exec(asked)?.[0] ?? '')
    .replace('{rest}', () => rest.join(' '))
    .replaceAll(/ +/g, ' ')
    .trim()
}
