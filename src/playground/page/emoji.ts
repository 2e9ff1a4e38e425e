/** The pictures that stand for names in mrkdwn: those the bot's code can send. A test compares. */
const PICTURES: Readonly<Record<string, string>> = {
  alarm_clock: '⏰',
  arrow_forward: '▶️',
  busts_in_silhouette: '👥',
  grey_question: '❔',
  heavy_multiplication_x: '✖️',
  hourglass: '⌛',
  hourglass_flowing_sand: '⏳',
  moneybag: '💰',
  no_entry: '⛔',
  pencil: '📝',
  pencil2: '✏️',
  rotating_light: '🚨',
  warning: '⚠️',
  white_check_mark: '✅',
  x: '❌',
}

/** The picture of a name without its colons; undefined for a name that is not known, which is then shown as written. */
export function emojiPicture(name: string): string | undefined {
  return Object.hasOwn(PICTURES, name) ? PICTURES[name] : undefined
}
