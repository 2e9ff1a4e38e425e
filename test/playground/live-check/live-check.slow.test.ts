import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runLiveCheck } from '../../../src/playground/live-check/command.ts'
import { collectSamples, type Samples } from '../../../src/playground/live-check/samples.ts'
import { type SlackEmulator, startSlackEmulator } from '../../../src/playground/slack/emulator.ts'
import { BOT_USER_ID, OLGA, OPS, RANDOM } from '../../../src/playground/slack/state/seed.ts'
import type { Answer } from '../../../src/playground/slack/wire/parts.ts'
import { type Clock, systemClock } from '../../../src/shared/clock.ts'
import { recordingLog } from '../../support/recording-log.ts'

/** Pauses between posts are not waited for. */
const clock: Clock = { ...systemClock, sleep: async () => undefined }

let samples: Samples
let slack: SlackEmulator
let folder: string
beforeAll(async () => {
  samples = await collectSamples(systemClock)
  folder = mkdtempSync(join(tmpdir(), 'cdn-ops-live-check-'))
}, 60_000)
beforeEach(async () => {
  slack = await startSlackEmulator()
})
afterEach(() => slack.close())
afterAll(() => samples)

interface Played {
  readonly code: number
  readonly report: string
  readonly complaints: string
}

/** Plays the check, with Olga at the terminal; she types `commands` when she is asked to. */
async function plays({ types = [[OPS, '/cdn live-check @cdn-operators']], channel = OPS } = {}): Promise<Played> {
  const out = join(folder, `${crypto.randomUUID()}.md`)
  let complaints = ''
  const code = await runLiveCheck(['--channel', channel, '--out', out], {
    environment: {
      variables: {
        SLACK_BOT_TOKEN: slack.botToken,
        SLACK_APP_TOKEN: slack.appToken,
        SLACK_API_URL: slack.apiUrl,
      },
      readFile: () => '',
    },
    clock,
    log: recordingLog().log,
    samples,
    complain: (line) => void (complaints += line),
    async print(text) {
      if (!text.startsWith('Type in the channel')) return
      for (const [where = OPS, command = ''] of types) void slack.person(OLGA).command(where, command)
    },
    ask: async (question) => (question.includes('charts begin at zero') ? 'no, at 10' : ''),
  })
  return { code, report: code === 78 ? '' : readFileSync(out, 'utf8'), complaints }
}

function refuse(method: string, error: string): void {
  slack.parts.hooks.around = (called, answer) =>
    called === method ? { status: 200, body: { ok: false, error } } : answer()
}

/** What is refused, how, in which row of the report, how that row reads, and which word is in the report. */
type Refused = readonly [what: string, plant: () => void, place: string, row: RegExp, word: string]

const rows = (report: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...report.matchAll(/^\| (?<place>[a-zA-Z ]+) \| (?<rest>.*) \|$/gm)].map(({ groups }) => [
      groups?.['place'] ?? '',
      groups?.['rest'] ?? '',
    ]),
  )

describe('a live check', () => {
  it('shows each make of message and view in each place, and removes what it posted', async () => {
    const { code, report } = await plays()
    expect(report).toContain('0 changed, 0 refused')
    expect(code).toBe(0)
    const { messages, views } = samples
    expect(messages.length).toBeGreaterThan(8)
    const names = views.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['Review', 'Approve?', 'Decline?', 'Done', 'Unknown', 'Home']))
    const all = rows(report)
    for (const place of ['post', 'edit', 'reply', 'ephemeral', 'response address'])
      expect(all[place]).toMatch(/^yes \(\d+\)$/)
    expect(all['modal']).toBe(`yes (${views.length - 1})`)
    expect(all['Home']).toBe('yes (1)')
    expect(all['file']).toBe('yes (2)')
    expect(report).toContain('How the command’s text arrived `live-check <!subteam^S0OPERATOR')
    expect(report).toContain('Do the axes of the charts begin at zero? `no, at 10`')
    expect(slack.messages.filter(({ author, visibleTo }) => author === BOT_USER_ID && visibleTo === undefined)).toEqual(
      [],
    )
    expect(report).not.toMatch(/xox|xapp/)
  })

  it('addresses nobody of the playground but who is there', async () => {
    await plays()
    const shown = slack.calls.filter(({ method }) => method !== 'blocks.validate')
    const named = JSON.stringify(shown.map(({ args }) => args)).match(/U0[A-Z0-9]{8}|C0[A-Z0-9]{8}/g) ?? []
    expect([...new Set(named)].toSorted()).toEqual([OPS, OLGA].toSorted())
  })

  it.each([
    [
      'charts and tables',
      () => void (slack.switches.refusedBlocks = ['data_visualization', 'data_table']),
      'post',
      /^\d+ of \d+$/,
      'unsupported type: data_visualization',
    ],
    ['every post', () => refuse('chat.postMessage', 'x'), 'post', /./, 'Nothing can be posted'],
    ['edits', () => refuse('chat.update', 'block_mismatch'), 'edit', /0 of \d+$/, 'block_mismatch'],
    [
      'ephemeral blocks',
      () => refuse('chat.postEphemeral', 'invalid_blocks'),
      'ephemeral',
      /0 of \d+$/,
      'invalid_blocks',
    ],
    ['answers', () => refuse('response_url', 'invalid_blocks'), 'response address', /0 of 5$/, 'invalid_blocks'],
    ['Home', () => refuse('views.publish', 'not_enabled'), 'Home', /0 of 1$/, 'not_enabled'],
    ['forms', () => refuse('views.update', 'view_too_large'), 'modal', /1 of \d+$/, 'view_too_large'],
    ['files', () => refuse('files.getUploadURLExternal', 'missing_scope'), 'file', /0 of 1$/, 'missing_scope'],
    ['the validator', () => refuse('blocks.validate', 'invalid_view'), 'validator', /0 of \d+$/, 'invalid_view'],
  ] as readonly Refused[])('reports that Slack refuses %s', async (_, plant, place, row, word): Promise<void> => {
    plant()
    const { code, report, complaints } = await plays()
    if (report === '') {
      expect([code, complaints]).toEqual([78, expect.stringContaining(word)])
      return
    }
    expect(code).toBe(1)
    expect(rows(report)[place]).toMatch(row)
    expect(report).toContain(word)
  })

  it('reports what Slack took and changed', async () => {
    slack.parts.hooks.around = (method, answer): Answer => {
      const given = answer()
      if (method !== 'chat.postMessage' || typeof given.body === 'string') return given
      const text = JSON.stringify(given.body).replaceAll('"data_table"', '"section"')
      return { ...given, body: JSON.parse(text) as Readonly<Record<string, unknown>> } // what was an object stays one
    }
    const { code, report } = await plays()
    expect(code).toBe(0)
    expect(report).toMatch(/post, “[^”]+”: changed \(`\/blocks\/\d+\/type`\)/)
  })

  it('says what it could not remove', async () => {
    refuse('chat.delete', 'cant_delete_message')
    expect((await plays()).report).toContain('Slack did not remove a message: cant_delete_message.')
  })

  it('waits for the command in its own channel', async () => {
    const { report } = await plays({
      types: [
        [RANDOM, '/cdn'],
        [OPS, '/cdn here'],
      ],
    })
    expect(report).toContain('`here`')
  })

  it('does not begin while another link of the app is open, and leaves nothing then', async () => {
    const { url } = (await (
      await fetch(`${slack.apiUrl}apps.connections.open`, {
        method: 'POST',
        headers: { authorization: `Bearer ${slack.appToken}` },
      })
    ).json()) as { url: string } // the emulator's answer
    const other = new WebSocket(url)
    await slack.until(() => slack.linkCount === 1)
    const { code, complaints } = await plays()
    expect([code, complaints]).toEqual([78, expect.stringMatching(/Another link .* Stop the bot first/)])
    expect(slack.messages).toEqual([])
    other.close()
  })

  it.each([
    [['--channel', 'ops'], 78, /by its id/],
    [[], 78, /by its id/],
  ])('is asked rightly: %j', async (args, code, words) => {
    let said = ''
    const context = { environment: { variables: {}, readFile: () => '' }, clock, log: recordingLog().log, samples }
    const ends = await runLiveCheck(args, {
      ...context,
      print: async () => undefined,
      complain: (line) => void (said += line),
      ask: async () => '',
    })
    expect([ends, said]).toEqual([code, expect.stringMatching(words)])
  })
})
