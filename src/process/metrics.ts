import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Seconds; Slack's patience ends at 3. */
const ACK_BUCKETS_S = [0.005, 0.02, 0.1, 0.5, 1, 2, 3]
const CALL_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** What the process counts, for `/metrics`. Labels are names of the program's own: never ids, never text from outside. */
export class Metrics {
  readonly registry = new Registry()
  readonly operations = new Counter({
    name: 'cdn_ops_operations_total',
    help: 'Operations by how they ended.',
    labelNames: ['operation', 'outcome'],
    registers: [this.registry],
  })
  readonly ackSeconds = new Histogram({
    name: 'cdn_ops_slack_ack_seconds',
    help: 'Time from a delivery of Slack to its acknowledgement.',
    labelNames: ['kind'],
    buckets: ACK_BUCKETS_S,
    registers: [this.registry],
  })
  readonly links = new Gauge({
    name: 'cdn_ops_slack_links',
    help: 'Open Socket Mode links, or 1 while requests over HTTP are taken.',
    registers: [this.registry],
  })
  readonly callSeconds = new Histogram({
    name: 'cdn_ops_platform_call_seconds',
    help: 'Calls to the CDN by endpoint and outcome, repeats included.',
    labelNames: ['endpoint', 'outcome'],
    buckets: CALL_BUCKETS_S,
    registers: [this.registry],
  })
  readonly unknownFields = new Counter({
    name: 'cdn_ops_platform_unknown_fields_total',
    help: 'Fields at the top of answers of the CDN that its contract does not have.',
    labelNames: ['endpoint'],
    registers: [this.registry],
  })
  readonly clockAhead = new Gauge({
    name: 'cdn_ops_clock_ahead_seconds',
    help: 'How far the clock of this machine is ahead of another one, as far as that is sure; negative when behind.',
    labelNames: ['source'],
    registers: [this.registry],
  })
  readonly unhandledFaults = new Counter({
    name: 'cdn_ops_unhandled_faults_total',
    help: 'Errors that nothing handled; each is in the log.',
    registers: [this.registry],
  })
}
