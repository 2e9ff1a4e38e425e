import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'

const MANIFEST = new URL('../../manifest.yml', import.meta.url)

/** The app manifest that a workspace would be given, parsed but not checked. Rejects when the file is not there. */
export async function readManifestFile(): Promise<unknown> {
  return parse(await readFile(MANIFEST, 'utf8'))
}
