import { describe, expect, it } from 'vitest'
import { readSettings, secretsOf, SettingsError } from '../../src/config/settings.ts'

const NEEDED = {
  SLACK_BOT_TOKEN: 'xoxb-bot-token',
  SLACK_APP_TOKEN: 'xapp-app-token',
  CDN_API_URL: 'https://api.example.com',
  CDN_LOGGING_URL: 'https://logs.example.com',
  CDN_API_KEY: 'key-of-the-account',
  ADMINS: 'U0123456789',
}

function settings(more: Readonly<Record<string, string>>) {
  return readSettings({
    variables: { ...NEEDED, ...more },
    readFile: (path) => `postgres://cdn:${path}@db.example/x\n`,
  })
}

describe('what must not reach a log', () => {
  it('is every secret that is set', () => {
    expect(secretsOf(settings({}))).toEqual(['xoxb-bot-token', 'xapp-app-token', 'key-of-the-account'])
  })

  it.each([
    ['postgres://cdn:p%40ss%2dword@db.example/x', ['p@ss-word', 'p%40ss%2dword']],
    ['postgres://db.example/x?user=cdn&password=p%40ss%2dword&ssl=1', ['p@ss-word', 'p%40ss%2dword']],
    [
      'postgres://cdn:plus+word@db.example/x?sslmode=on&%70assword=two+words',
      ['plus+word', 'plus%2Bword', 'two words', 'two+words'],
    ],
    ['postgres://cdn@db.example/x', []],
    ['./.data/cdn-ops.sqlite', []],
    ['postgres://cdn:100%-sure@db.example/x', ['100%-sure']],
  ])('of %s the password, if there is one', (url, passwords) => {
    expect(secretsOf(settings({ STORE_URL: url })).slice(3)).toEqual(passwords)
  })

  it('the address of a database may stand in a file, since it holds a password', () => {
    const { STORE_URL } = settings({ STORE_URL_FILE: 'from-file' })
    expect(STORE_URL).toBe('postgres://cdn:from-file@db.example/x')
  })
})

describe('a file that should hold a secret', () => {
  function problems(readFile: (path: string) => string, file: string): readonly string[] {
    const { [file]: _, ...others } = NEEDED as Readonly<Record<string, string>>
    try {
      readSettings({ variables: { ...others, [`${file}_FILE`]: '/run/secrets/it' }, readFile })
    } catch (error) {
      if (error instanceof SettingsError) return error.problems
      throw error
    }
    return []
  }

  it.each(['SLACK_BOT_TOKEN', 'CDN_API_KEY'])(
    'is the one thing wrong with %s when it is empty or unreadable',
    (name) => {
      const unreadable = (): string => {
        throw new Error('EACCES')
      }
      expect(problems(() => '\n', name)).toEqual([`${name}_FILE names an empty file.`])
      expect(problems(unreadable, name)).toEqual([`${name}_FILE names a file that cannot be read.`])
    },
  )
})
