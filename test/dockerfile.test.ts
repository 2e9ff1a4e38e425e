import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Settings } from '../src/config/settings.ts'
import { dockerfile, isInContext } from './support/image-build.ts'
import { startCommand } from './support/start-command.ts'

const instructions = dockerfile()
const texts = (name: string): readonly string[] =>
  instructions.filter((each) => each.name === name).map(({ text }) => text)
const order = (name: string, text: RegExp): number =>
  instructions.findLastIndex((each) => each.name === name && text.test(each.text))

describe('the image', () => {
  it('is made of the slim Node 24, from production packages of the lockfile', () => {
    expect(texts('FROM').map((text) => text.split(' ')[0])).toEqual(['node:24-slim', 'node:24-slim'])
    expect(texts('RUN')[0]).toMatch(/^npm ci --omit=dev\b/)
  })

  it('runs as a user that is not root, given by number', () => {
    expect(new Set(texts('USER'))).toEqual(new Set(['1000:1000']))
    expect(order('USER', /./)).toBeGreaterThan(order('COPY', /./))
  })

  it('keeps the store in a volume that belongs to that user, where the bot looks by itself', () => {
    expect(texts('ENV').join(' ')).not.toContain('STORE_URL')
    expect(texts('WORKDIR').at(-1)).toBe('/app')
    expect(texts('VOLUME')).toEqual([join('/app', dirname(Settings.shape.STORE_URL.parse(undefined)))])
    const made = order('RUN', /^mkdir --mode=700 \.data && chown 1000:1000 \.data$/)
    expect(made).toBeGreaterThan(order('FROM', /./))
    expect(order('VOLUME', /./)).toBeGreaterThan(made)
  })

  it('tells its health by Node, where the bot serves it', () => {
    expect(texts('ENV').at(-1)).toContain('HEALTH_PORT=8080')
    expect(texts('EXPOSE')).toEqual(['8080'])
    expect(texts('HEALTHCHECK')[0]).toMatch(/--timeout=\S+ .*CMD \["node", "-e", .*HEALTH_PORT.*\/healthz/)
  })

  it('starts the bot directly, so that signals reach it', () => {
    expect(texts('CMD')).toEqual([JSON.stringify(['node', ...startCommand()]).replaceAll(',', ', ')])
    expect(texts('ENTRYPOINT')).toEqual([])
  })

  it.each([
    '.data/cdn-ops.sqlite',
    '.env',
    '.git/config',
    '.github/CONTRIBUTING.md',
    '.node/run.mjs',
    'README.md',
    'cdn-ops.env',
    'node_modules/zod/package.json',
    'secrets/slack-bot-token',
    'src/.env.local',
    'src/README.md',
    'src/playground/run.ts',
    'src/store/left.sqlite-wal',
    'test/repository.test.ts',
  ])('never gets to see %s', (path) => expect(isInContext(path)).toBe(false))

  it.each(['package.json', 'package-lock.json', '.npmrc', '.node/package.json', 'src/main.ts', 'src/cdn/client.ts'])(
    'gets %s',
    (path) => expect(isInContext(path)).toBe(true),
  )
})
