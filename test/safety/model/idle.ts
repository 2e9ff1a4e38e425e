/** Everything runs in memory, so that one turn of the event loop takes all of it as far as it goes. */
export function untilIdle(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}
