/** What the bench uses of it; the package brings no types. */
declare module 'papaparse' {
  interface Options {
    readonly delimiter: string
    /** Splits at the delimiter alone: no field is quoted. */
    readonly fastMode: boolean
    readonly step: (row: { readonly data: readonly string[] }) => void
    readonly complete: () => void
    readonly error: (error: Error) => void
  }
  const papaparse: { readonly parse: (input: NodeJS.ReadableStream, options: Options) => void }
  export default papaparse
}
