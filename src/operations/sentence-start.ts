/** The same words with a capital letter, to begin a sentence or a title with. */
export function sentenceStart(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
