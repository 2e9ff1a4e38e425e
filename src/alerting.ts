import { AlertWatch } from './alerts/alert-watch.ts'
import { DeliveryLane } from './alerts/delivery-lane.ts'
import type { IncidentWords } from './alerts/incident-words.ts'
import { alertKind } from './alerts/kinds.ts'
import type { Cdn } from './cdn/cdn.ts'
import type { Settings } from './config.ts'
import type { Configuration } from './configuration.ts'
import { ManagedRules } from './managed-rules.ts'
import { zoneOfSubject } from './operations/alerts/alert-subjects.ts'
import type { NamedZone } from './operations/field.ts'
import { ping, postJson } from './outside-calls.ts'
import type { Clock } from './shared/clock.ts'
import type { Log } from './shared/log.ts'
import type { Workspace } from './slack/workspace.ts'
import type { Store } from './store/store.ts'

export interface AlertingParts {
  readonly settings: Settings
  readonly clock: Clock
  readonly log: Log
  readonly cdn: Cdn
  readonly store: Store
  readonly workspace: Workspace
  readonly configuration: Configuration
}

/** What looks at the platform by itself, and what tells channels of it. */
export interface Alerting {
  readonly watch: AlertWatch
  readonly lane: DeliveryLane
  readonly managedRules: ManagedRules
}

/** Puts together what alerts need. Nothing runs yet. */
export function createAlerting(parts: AlertingParts): Alerting {
  const { settings, clock, log, cdn, store, workspace, configuration } = parts
  const { ALERT_WEBHOOK_URL: webhook, HEARTBEAT_URL: heartbeat, OPS_CHANNEL: opsChannel } = settings
  const team = (): string | undefined => workspace.identity?.teamId
  const zones = async (): Promise<readonly NamedZone[]> => [...configuration.zones, ...(await store.zones.list())]
  const lane = new DeliveryLane({
    store,
    notifier: workspace.alertNotifier,
    clock,
    log,
    opsChannel,
    words: async () => incidentWords(await zones(), settings),
    ...(webhook !== undefined && { send: (payload) => postJson(webhook, payload, clock) }),
  })
  const watch = new AlertWatch({
    cdn,
    store,
    clock,
    log,
    zones,
    team,
    webhook: webhook !== undefined,
    posted: () => lane.soon(),
    ...(heartbeat !== undefined && { heartbeat: () => ping(heartbeat, clock) }),
  })
  const managedRules = new ManagedRules({ configuration, store, clock, team, changed: () => watch.soon() })
  return { watch, lane, managedRules }
}

/** Both, until the bot stops. Never rejects. */
export async function runAlerting({ watch, lane }: Alerting, stopping: AbortSignal): Promise<void> {
  await Promise.all([watch.run(stopping), lane.run(stopping)])
}

function incidentWords(zones: readonly NamedZone[], settings: Settings): IncidentWords {
  return {
    zoneName(subject) {
      const zone = zoneOfSubject(subject)
      return zones.find(({ kind, zoneId }) => kind === zone?.kind && zoneId === String(zone.id))?.name
    },
    kindTitle: (kind) => alertKind(kind)?.title ?? kind,
    panel(subject) {
      const zone = zoneOfSubject(subject)
      return zone === undefined ? undefined : settings.CDN_PANEL_URL?.(`${zone.kind}-zone`, zone.id)
    },
    command: settings.COMMAND,
  }
}
