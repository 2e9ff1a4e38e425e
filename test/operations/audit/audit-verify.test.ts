import { describe, expect, it } from 'vitest'
import { auditVerify } from '../../../src/operations/audit/audit.ts'
import { Secret } from '../../../src/shared/secret.ts'
import { invocationOf, problemsOf } from '../../support/operation-context.ts'
import { drawn } from '../../support/drawn.ts'
import { entry } from '../../store/harness.ts'
import { storeForEachTest } from '../../support/ask.ts'

const AS_OF = expect.stringMatching(/^~ As of <!date/) as string
const BROKEN = ':rotating_light: *The audit log is not what was written*'
const MEND = 'Copy the database as it is and compare it with a backup before anything is mended.'
const WRONG_KEY = 'That is also how it looks when AUDIT_KEY is not what it was when the log was written.'

describe('verifying the record with a key', () => {
  const { type, store, harness } = storeForEachTest(new Secret('a key that is not in the database'))
  const write = async (count: number) => {
    for (let n = 0; n < count; n++) await store().audit.append(entry('read'))
    const { seq, hash } = await store().audit.head()
    return `${seq}:${hash}`
  }

  it('says that it is sound, how far, and what to note elsewhere', async () => {
    const head = await write(3)
    const { message, progress } = await type('audit verify')
    expect(drawn(message)).toEqual([
      ':white_check_mark: *Audit log: 3 entries intact*',
      'This does not show whether the newest entries were deleted: for that, give --expect the head that an earlier check named.',
      `*Head, to note elsewhere:* \`${head}\``,
      `~ Later: \`/cdn audit verify ${head}\` shows that nothing up to it is missing.`,
      AS_OF,
    ])
    expect(progress).toEqual(['Checking 3 entries of the audit log'])
  })

  it('proves with a head that was noted that nothing up to it is missing', async () => {
    const noted = await write(2)
    await write(1)
    const { message } = await type(`audit verify ${noted.toUpperCase()}`)
    expect(drawn(message).slice(0, 2)).toEqual([
      ':white_check_mark: *Audit log: 3 entries intact*',
      'Entry 2 is the one that was noted, so nothing up to it is missing.',
    ])
  })

  it('says when there is nothing yet', async () => {
    expect(drawn((await type('audit verify')).message)).toEqual([
      ':white_check_mark: *The audit log has no entry yet*',
      'This does not show whether the newest entries were deleted: for that, give --expect the head that an earlier check named.',
      AS_OF,
    ])
  })

  it('names the first bad entry, and what to do', async () => {
    await write(5)
    await harness().sql(`update audit_entries set summary = 'nothing to see' where seq = 3`)
    expect(drawn((await type('audit verify')).message)).toEqual([
      BROKEN,
      `The first bad entry is 3: it was changed, removed, added or moved. The first 2 are sound.\n${MEND}`,
      AS_OF,
    ])
  })

  it('says that a bad first entry may mean a wrong key', async () => {
    await write(2)
    await harness().sql(`update audit_entries set actor = 'U2' where seq = 1`)
    expect(drawn((await type('audit verify')).message)[1]).toBe(
      `The first bad entry is 1: it was changed, removed, added or moved. No entry before it is sound.\n${WRONG_KEY}\n${MEND}`,
    )
  })

  it('says that newer entries were cut off, when it knows a head', async () => {
    await write(2)
    const [older] = await harness().sql('select hash from audit_head')
    const noted = await write(2)
    await harness().sql('delete from audit_entries where seq > 2')
    await harness().sql(`update audit_head set seq = 2, hash = '${String(older?.['hash'])}'`)
    expect((await type('audit verify')).text).toMatch(/Audit log: \d+ entr(y|ies) intact/)
    expect((await type(`audit verify --expect ${noted}`)).text).toContain(
      'What is there is sound, but entry 4 was noted and is gone: the log was cut off from entry 3 on.',
    )
  })

  it('says that the record is another one than that of which a head was noted', async () => {
    await write(3)
    expect(drawn((await type(`audit verify 2:${'ab'.repeat(32)}`)).message)[1]).toBe(
      `Entry 2 is not the one that was noted: the log was written anew from there or before, or this is another log.\n${MEND}`,
    )
  })

  it('says that the head was changed', async () => {
    await write(3)
    await harness().sql(`update audit_head set hash = '${'0'.repeat(64)}'`)
    expect(drawn((await type('audit verify')).message)[1]).toBe(
      `The entries up to 3 lead to another head than the one that is stored: the newest entries or the head were changed.\n${MEND}`,
    )
  })
})

describe('verifying the record without a key', () => {
  const { type, store, harness } = storeForEachTest()

  it('says what that cannot prove', async () => {
    await store().audit.append(entry('read'))
    const unkeyed = 'Without AUDIT_KEY this detects accidents, not tampering.'
    expect(drawn((await type('audit verify')).message)[1]?.split('\n')[0]).toBe(unkeyed)
    const { hash } = await store().audit.head()
    expect(drawn((await type(`audit verify 1:${hash}`)).message)[1]?.split('\n')[1]).toBe(unkeyed)
    await harness().sql(`update audit_entries set actor = 'U2' where seq = 1`)
    expect(drawn((await type('audit verify')).message)[1]).toContain(`\n${WRONG_KEY}\n${MEND}\n${unkeyed}`)
  })
})

describe('asking for it', () => {
  it('is a plain read for admins', () => {
    const { effect, minimumRole, sentence } = invocationOf(auditVerify, { expect: `7:${'ab'.repeat(32)}` })
    expect([effect, minimumRole, sentence]).toEqual(['read', 'admin', 'Verify the audit log against entry 7'])
  })

  it.each(['7', `0:${'ab'.repeat(32)}`, `7:${'ab'.repeat(31)}`, `7:${'zz'.repeat(32)}`, `x${'ab'.repeat(32)}`])(
    'takes no head of the shape %s',
    (expected) => {
      expect(problemsOf(auditVerify, { expect: expected })).toEqual([
        'expect: Expected head is the number of an entry and its 64 hexadecimal digits, as 120:0a1b….',
      ])
    },
  )
})
