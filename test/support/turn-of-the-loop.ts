/** Lets everything run that waits for nothing but its turn. */
export async function turnOfTheLoop(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}
