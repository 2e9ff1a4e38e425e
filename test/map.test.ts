import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'

const map = readFileSync('src/README.md', 'utf8')
const quoted = [...map.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)
const Packages = z.record(z.string(), z.string())
const { dependencies, devDependencies } = z
  .object({ dependencies: Packages, devDependencies: Packages })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

describe('the map of the house', () => {
  it('names only files and folders that are there', () => {
    const paths = quoted.filter((text) => /^[\w./-]+(\.ts|\.mjs|\/)$/.test(text) && !text.startsWith('x.'))
    const there = (path: string): boolean => existsSync(`src/${path}`) || existsSync(path)
    expect(paths.length).toBeGreaterThan(40)
    expect(paths.filter((path) => !there(path))).toEqual([])
  })

  it('names every folder and file directly in src', () => {
    const entries = readdirSync('src', { withFileTypes: true })
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .filter((name) => name !== 'README.md')
    const [, floors = ''] = map.split('\n## ')
    const named = new Set([...floors.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text))
    expect(entries.filter((name) => !named.has(name))).toEqual([])
  })

  it('names every folder of several files inside operations, slack and playground', () => {
    const folders = ['operations', 'slack', 'playground'].flatMap((folder) =>
      readdirSync(`src/${folder}`, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${folder}/${name}/`),
    )
    expect(folders.filter((path) => !quoted.includes(path))).toEqual([])
  })

  it('says of every package why it is there, and of no other', () => {
    const [, table = ''] = map.split('## Dependencies')
    const named = [...table.matchAll(/^\| `([^`]+)` \| (\S.*) \|$/gm)].map(([, name = '']) => name)
    expect(named).toEqual([...Object.keys(dependencies), ...Object.keys(devDependencies)])
  })
})
