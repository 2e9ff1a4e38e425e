import { describe, expect, it } from 'vitest'
import { StoreWatch } from '../src/store-watch.ts'
import { NoticeBoard } from './support/notice-board.ts'
import { recordingLog } from './support/recording-log.ts'

function watching(opsChannel: string | null = 'COPS') {
  const { log, lines } = recordingLog()
  const board = new NoticeBoard()
  const watch = new StoreWatch(log, opsChannel ?? undefined)
  return { watch, board, lines, logged: () => lines.map(({ level, sentence }) => `${level} ${sentence}`) }
}
const STOPPED = 'error the record cannot be written: writes and sensitive reads are refused'
const AGAIN = 'info the record can be written again'

describe('operators', () => {
  it('are told when the record cannot be written, what that means, and when it can again', async () => {
    const { watch, board, logged, lines } = watching()
    watch.tellBy(board)
    watch.onWritable({ writable: false, why: 'read_only' })
    watch.onWritable({ writable: true })
    await expect.poll(() => board.posted).toHaveLength(2)
    expect(board.posted.map(({ channel, texts }) => [channel, texts[0]])).toEqual([
      [
        'COPS',
        expect.stringMatching(
          /cannot be written: it can only be read\. Writes and key reads are refused .* plain reads go.* has to see to it/,
        ),
      ],
      ['COPS', expect.stringMatching(/can be written again\. What was refused meanwhile has to be asked for anew\./)],
    ])
    expect(logged()).toEqual([STOPPED, AGAIN])
    expect(lines[0]?.fields).toEqual({ why: 'read_only' })
  })

  it('hear it without a reason where there is none', async () => {
    const { watch, board } = watching()
    watch.tellBy(board)
    watch.onWritable({ writable: false })
    watch.onWritable({ writable: false, why: 'other' })
    const bare = expect.stringContaining('cannot be written. Writes')
    await expect.poll(() => board.in('COPS')).toEqual([bare, bare])
  })

  it('find it in the log where no channel is set, or Slack is not reached yet', () => {
    for (const { watch, board, logged } of [watching(null), watching()]) {
      watch.onWritable({ writable: false, why: 'full' })
      expect(board.posted).toEqual([])
      expect(logged()).toEqual([STOPPED])
    }
    const { watch, board, logged } = watching(null)
    let asked = 0
    board.before = () => void (asked += 1)
    watch.tellBy(board)
    watch.onWritable({ writable: true })
    expect([asked, logged()]).toEqual([0, [AGAIN]])
  })

  it('find it in the log when Slack does not take it', async () => {
    const { watch, board, logged } = watching()
    watch.tellBy(board)
    board.refusing.set('COPS', 'for good')
    watch.onWritable({ writable: false, why: 'full' })
    await expect.poll(logged).toEqual([STOPPED, 'error nobody could be told about the state of the record'])
  })
})
