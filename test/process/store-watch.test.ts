import { describe, expect, it } from 'vitest'
import { tellWritable } from '../../src/process/store-watch.ts'
import type { WritableState } from '../../src/store/engine/database.ts'
import { NoticeBoard } from '../support/notice-board.ts'
import { recordingLog } from '../support/recording-log.ts'

function watching({ opsChannel = 'COPS', linked = true }: { opsChannel?: string | undefined; linked?: boolean } = {}) {
  const { log, lines } = recordingLog()
  const board = new NoticeBoard()
  const tell = (state: WritableState) => tellWritable(state, log, linked ? board : undefined, opsChannel || undefined)
  return { tell, board, lines, logged: () => lines.map(({ level, sentence }) => `${level} ${sentence}`) }
}
const STOPPED = 'error the record cannot be written: writes and sensitive reads are refused'
const AGAIN = 'info the record can be written again'

describe('operators', () => {
  it('are told when the record cannot be written, what that means, and when it can again', async () => {
    const { tell, board, logged, lines } = watching()
    tell({ writable: false, why: 'read_only' })
    tell({ writable: true })
    await expect.poll(() => board.posted).toHaveLength(2)
    expect(board.posted.map(({ channel, texts }) => [channel, texts[0]])).toEqual([
      [
        'COPS',
        expect.stringMatching(
          /The store cannot be written to, so the record of CDN Ops cannot be written\. Writes and key reads are refused .* plain reads go.* has to see to it/,
        ),
      ],
      ['COPS', expect.stringMatching(/can be written again\. What was refused meanwhile has to be asked for anew\./)],
    ])
    expect(logged()).toEqual([STOPPED, AGAIN])
    expect(lines[0]?.fields).toEqual({ why: 'read_only' })
  })

  it.each([
    ['no channel is set', { opsChannel: '' }],
    ['Slack is not reached yet', { linked: false }],
  ])('find it in the log where %s', (_, where) => {
    const { tell, board, logged } = watching(where)
    let asked = 0
    board.before = () => void (asked += 1)
    tell({ writable: false, why: 'full' })
    tell({ writable: true })
    expect([asked, logged()]).toEqual([0, [STOPPED, AGAIN]])
  })

  it('find it in the log when Slack does not take it', async () => {
    const { tell, board, logged } = watching()
    board.refusing.set('COPS', 'for good')
    tell({ writable: false, why: 'full' })
    await expect.poll(logged).toEqual([STOPPED, 'error notice about the store could not be posted'])
  })
})
