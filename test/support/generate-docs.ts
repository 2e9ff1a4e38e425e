import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { takePictures } from '../browser/pictures.ts'
import { PAGES, withTables } from './docs-tables.ts'

/** `npm run docs`: writes the tables of the README and of `.github/docs/` anew from the code; with `--pictures`, the pictures too. */
const { values } = parseArgs({ options: { pictures: { type: 'boolean', default: false } } })
for (const page of PAGES) {
  const before = readFileSync(page, 'utf8')
  const after = await withTables(before)
  writeFileSync(page, after)
  process.stdout.write(before === after ? `${page} is as the code says.\n` : `${page} was brought up to date.\n`)
}
if (values.pictures) await takePictures()
