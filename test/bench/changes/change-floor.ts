import { CdnClient } from '../../../src/cdn/client.ts'
import { LogLimit } from '../../../src/cdn/log-limit.ts'
import type { Notifier } from '../../../src/alerts/notifier.ts'
import { ApprovalDesk } from '../../../src/execution/approval-desk.ts'
import { ChangeAnnouncer } from '../../../src/execution/change-announcer.ts'
import { ChangeDesk } from '../../../src/execution/change-desk.ts'
import { digestWith } from '../../../src/execution/change-hash.ts'
import { ChangeSender } from '../../../src/execution/change-sender.ts'
import { Executor } from '../../../src/execution/executor.ts'
import { InFlight } from '../../../src/execution/in-flight.ts'
import { DEFAULT_POLICY } from '../../../src/execution/policy.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { systemClock as clock } from '../../../src/shared/clock.ts'
import { createLog } from '../../../src/shared/log.ts'
import { Scrubber } from '../../../src/shared/scrubber.ts'
import { Secret } from '../../../src/shared/secret.ts'
import { Directory } from '../../../src/slack/directory.ts'
import { roleSources } from '../../../src/slack/role-sources.ts'
import type { WebApi } from '../../../src/slack/web-api.ts'
import { openStore, type Store } from '../../../src/store/store.ts'
import { idleDesk, openChannels } from '../../support/alert-desk.ts'

/** What takes a change from its review to the platform, put together as the bot does. */
export interface ChangeFloor {
  readonly store: Store
  readonly desk: ChangeDesk
  readonly sender: ChangeSender
  readonly directory: Directory
}

export const ASKER = 'UOLGA'
const TEAM = 'T1'
/** Long enough that what is said of a change comes after its call, as it does with Slack itself. */
const SLACK_MS = 5

/** Opens the store in this file, and reaches the platform at this address. */
export async function openFloor(file: string, platformUrl: string): Promise<ChangeFloor> {
  const log = createLog({ level: 'info', scrubber: new Scrubber(), write: () => undefined })
  const auditKey = new Secret('0'.repeat(64))
  const store = await openStore({ url: file, clock, log, auditKey, onWritable: () => undefined })
  const cdn = new CdnClient({
    managementUrl: platformUrl,
    credential: { scheme: 'accessKey', secret: new Secret('key-of-the-bench') },
    clock,
    limiter: new LogLimit({ clock }),
  })
  const roles = roleSources({ admins: new Set(['UADA']), operators: new Set([ASKER]), viewers: new Set() })
  const directory = new Directory({
    api: slack as WebApi, // The directory calls nothing else of it.
    clock,
    roles: () => roles,
    identity: () => ({ teamId: TEAM, enterpriseId: undefined }),
  })
  const executor = new Executor({
    operations: OPERATIONS,
    cdn,
    store,
    clock,
    log,
    panel: () => undefined,
    command: '/cdn',
    people: directory,
    alerts: idleDesk(),
    channels: openChannels,
    sharedChannels: () => [],
    policy: () => DEFAULT_POLICY,
    managedZones: () => [{ kind: 'dns', name: 'shop', zoneId: '301', managed: true }],
    markRecords: true,
    digest: digestWith(auditKey),
    inFlight: new InFlight(clock),
    count: () => undefined,
  })
  const announcer = new ChangeAnnouncer(executor, channel, undefined)
  const approvals = new ApprovalDesk(executor, announcer)
  executor.actOnChangesBy((actor) => approvals.actions(actor))
  const sender = new ChangeSender({ executor, announcer, holder: clock.newId(), leaseMs: 60_000 })
  return { store, desk: new ChangeDesk(executor, undefined), sender, directory }
}

const profile = { team_id: TEAM, is_bot: false, is_restricted: false, is_ultra_restricted: false, tz: 'UTC' }
const slack: Pick<WebApi, 'call'> = {
  call: async (_lane, _method, { user }) => ({ ok: true, user: { ...profile, id: user } }),
}

/** A channel that takes a message in the time that Slack takes. */
const channel: Notifier = {
  post: async (to) => {
    await clock.sleep(SLACK_MS)
    return { channel: to, ts: '1.0' }
  },
  edit: async () => {
    await clock.sleep(SLACK_MS)
    return true
  },
  reply: async ({ channel: to }) => ({ channel: to, ts: '1.1' }),
}
