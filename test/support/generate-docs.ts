import { readFileSync, writeFileSync } from 'node:fs'
import { withTables } from './readme-tables.ts'

/** `npm run docs`: writes the README's tables anew from the code. */
const README = 'README.md'
const before = readFileSync(README, 'utf8')
const after = await withTables(before)
writeFileSync(README, after)
process.stdout.write(before === after ? 'The README is as the code says.\n' : 'The README was brought up to date.\n')
