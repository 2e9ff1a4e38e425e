/** A process of the bench: runs the function that it is started with, as it is asked. */
const [, , module = '', name = ''] = process.argv
const { [name]: work } = (await import(module)) as Record<string, (...args: unknown[]) => Promise<unknown>>

process.on('message', (args: readonly unknown[]) => void Promise.try(async () => process.send?.(await work?.(...args))))
process.once('disconnect', () => process.exit(0))
process.send?.('ready')
