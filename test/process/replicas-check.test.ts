import { describe, expect, it } from 'vitest'
import type { Patient } from '../../src/process/doctor/check.ts'
import { STORE_CHECKS } from '../../src/process/doctor/own-checks.ts'
import type { Standing } from '../../src/store/replicas.ts'

const SINCE = new Date('2026-11-20T10:00:00Z')
const row = (id: string, more = {}) => {
  return { id, name: `host-${id}`, version: '1.2.0', configuration: 'x', startedAt: SINCE, seenAt: SINCE, ...more }
}

function look(standing: Partial<Standing> | undefined, more: Readonly<Record<string, unknown>> = {}) {
  const check = STORE_CHECKS.find(({ name }) => name === 'replicas')
  const settings = { STORE_URL: 'postgres://db/cdn_ops', SLACK_APP_TOKEN: 'xapp', ...more }
  const whole = standing && { fence: undefined, holder: 'a', since: SINCE, replicas: [row('a')], ...standing }
  // Only what this check looks at.
  return check?.look({ settings, standing: () => whole } as unknown as Patient)
}

describe('the replicas, as the doctor sees them', () => {
  it('are listed: who works, since when, and which versions', async () => {
    const replicas = [row('a'), row('b', { version: '1.3.0' }), row('c')]
    expect(await look({ replicas })).toMatchObject({
      findings: [],
      seen: 'host-a (1.2.0) works since 2026-11-20T10:00:00.000Z, host-b (1.3.0), host-c (1.2.0) on standby',
    })
    expect(await look({})).toMatchObject({ seen: 'host-a (1.2.0) works since 2026-11-20T10:00:00.000Z, alone' })
  })

  it.each([
    [{ holder: undefined }, 'replicas:nobody', 'No replica works in the background'],
    [{ holder: 'gone' }, 'replicas:nobody', 'No replica works in the background'],
    [
      { replicas: [row('a'), row('b', { configuration: 'y' })] },
      'replicas:configuration:host-b',
      'host-b (1.2.0) runs with another configuration than host-a, so it only reads there.',
    ],
    [
      { replicas: ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => row(id)) },
      'replicas:many',
      '6 replicas are linked to Slack, which takes the links of 5.',
    ],
  ])('%j', async (standing, cause, happened) => {
    const { findings = [] } = (await look(standing)) ?? {}
    expect(findings).toMatchObject([{ cause, happened: expect.stringContaining(happened) as string }])
  })

  it('may be more where Slack sends requests instead', async () => {
    const replicas = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => row(id))
    expect(await look({ replicas }, { SLACK_APP_TOKEN: undefined })).toMatchObject({ findings: [] })
  })

  it('are none where one process has the store, and unknown where no bot runs', async () => {
    expect(await look(undefined, { STORE_URL: '.data/a.sqlite' })).toMatchObject({ isUnknown: false, findings: [] })
    expect(await look(undefined)).toMatchObject({ isUnknown: true })
  })
})
