const kept: object[] = []

/**
 * Keeps an example of each form of object that work in bulk makes and lets go. When the last object of a form is collected,
 * the engine forgets the form and throws away all that it has compiled for it: the next page of a thousand rows is then read
 * by the interpreter again, which takes a quarter longer.
 */
export function keepForms(...examples: readonly object[]): void {
  kept.push(...examples)
}
