import { describe, expect, it } from 'vitest'
import { auditVerify } from '../../../src/operations/audit/audit.ts'
import { Secret } from '../../../src/shared/secret.ts'
import { invocationOf, problemsOf } from '../../support/operation-context.ts'
import { entry } from '../../store/harness.ts'
import { storeForEachTest } from '../../support/ask.ts'

describe('verifying the record with a key', () => {
  const { type, store, harness } = storeForEachTest(new Secret('a key that is not in the database'))
  const write = async (count: number) => {
    for (let n = 0; n < count; n++) await store().audit.append(entry('read'))
    const { seq, hash } = await store().audit.head()
    return `${seq}:${hash}`
  }

  it('says that it is sound, how far, and what to note elsewhere', async () => {
    const head = await write(3)
    const { text, progress, said } = await type('audit verify')
    expect(text).toMatch(/^Audit log: 3 entries intact\n/)
    expect(text).toContain(`Head, to note elsewhere: ${head}`)
    expect(said).toContain(`/cdn audit verify ${head}`)
    expect(text).toContain('Whether the newest entries were cut off takes a head that was noted before: --expect.')
    expect(text).not.toContain('AUDIT_KEY')
    expect(progress).toEqual(['Checking 3 entries of the audit log'])
  })

  it('proves with a head that was noted that nothing up to it is missing', async () => {
    const noted = await write(2)
    await write(1)
    const { text } = await type(`audit verify ${noted.toUpperCase()}`)
    expect(text).toContain('Entry 2 is the one that was noted, so nothing up to it is missing.')
    expect(text).not.toContain('cannot be seen without')
  })

  it('says when there is nothing yet', async () => {
    const { text } = await type('audit verify')
    expect(text).toContain('The audit log has no entry yet')
    expect(text).not.toContain('to note elsewhere')
  })

  it('names the first bad entry, and what to do', async () => {
    await write(5)
    await harness().sql(`update audit_entries set summary = 'nothing to see' where seq = 3`)
    const { text } = await type('audit verify')
    expect(text).toContain('The audit log is not what was written')
    expect(text).toContain('The first bad entry is 3: it was changed, removed, added or moved. The first 2 are sound.')
    expect(text).toContain('Copy the database as it is')
    expect(text).not.toContain('to note elsewhere')
    expect(text).not.toContain('not the key')
  })

  it('says that a bad first entry may mean a wrong key', async () => {
    await write(2)
    await harness().sql(`update audit_entries set actor = 'U2' where seq = 1`)
    expect((await type('audit verify')).text).toContain('when AUDIT_KEY is not what it was')
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
    const { text } = await type(`audit verify 2:${'ab'.repeat(32)}`)
    expect(text).toContain('Entry 2 is not the one that was noted')
  })

  it('says that the head was changed', async () => {
    await write(3)
    await harness().sql(`update audit_head set hash = '${'0'.repeat(64)}'`)
    expect((await type('audit verify')).text).toContain('entries up to 3 lead to another head')
  })
})

describe('verifying the record without a key', () => {
  const { type, store, harness } = storeForEachTest()

  it('says what that cannot prove', async () => {
    await store().audit.append(entry('read'))
    expect((await type('audit verify')).text).toMatch(/Without AUDIT_KEY this detects accidents, not tampering/)
    await harness().sql(`update audit_entries set actor = 'U2' where seq = 1`)
    expect((await type('audit verify')).text).toContain('when AUDIT_KEY is not what it was')
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
