import { LogLevel } from '@slack/bolt'
import { describe, expect, it } from 'vitest'
import { boltLog } from '../../src/slack/web-api.ts'
import { recordingLog } from '../support/recording-log.ts'

describe('what Slack’s libraries log', () => {
  it('is taken from warnings on, whatever level they set, without the properties of errors', () => {
    const { log, lines } = recordingLog()
    const logger = boltLog(log)
    logger.setLevel(LogLevel.DEBUG)
    logger.debug('hush')
    logger.info('hush')
    logger.warn('slow', 7)
    logger.error(Object.assign(new Error('refused'), { request: { body: 'hush' } }), 'again')
    expect(logger.getLevel()).toBe(LogLevel.WARN)
    expect(lines.map(({ level, sentence }) => `${level}: ${sentence}`)).toEqual([
      'warn: slow 7',
      'error: refused again',
    ])
  })

  it('is cut where it is long', () => {
    const { log, lines } = recordingLog()
    boltLog(log).error('x'.repeat(501))
    expect(lines[0]?.sentence).toBe('x'.repeat(500))
  })
})
