/** How Slack complains about one more than `most`, at a place under `root`. */
export function overLimit(most: number, root: string): RegExp {
  const words = [
    `must be less than ${most + 1} characters`,
    `no more than ${most} items allowed`,
    `must be less than or equal to ${most}`,
    String.raw`no more than ${most} \w+ blocks? allowed`,
    String.raw`\w+ blocks must have less than ${most + 1} characters in all`,
  ]
  return new RegExp(String.raw`^(${words.join('|')}) \[json-pointer:${root}(/[\w/]+)?\]$`)
}
