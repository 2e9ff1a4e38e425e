import { readdir, readFile } from 'node:fs/promises'

const FOLDER = new URL('assets/', import.meta.url)
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** A file the page loads. */
export interface Asset {
  readonly type: string
  readonly content: Buffer
}

/** Every style, script and picture of the page, by its name. They are read once: nobody names a path on disk. */
export async function loadAssets(): Promise<ReadonlyMap<string, Asset>> {
  const names = await readdir(FOLDER)
  const assets = await Promise.all(
    names.map(async (name) => {
      const type = TYPES[name.split('.').at(-1) ?? '']
      return type === undefined ? [] : [[name, { type, content: await readFile(new URL(name, FOLDER)) }] as const]
    }),
  )
  return new Map(assets.flat())
}
