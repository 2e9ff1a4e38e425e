/**
 * Options of Node that write memory, the environment or what goes over connections into files or the standard error, past
 * every gate of this program. The bot does not start with them.
 */

/** Named by how they begin, as most have several forms. */
const DUMPING_OPTIONS = [
  '--report',
  '--heapsnapshot',
  '--heap-snapshot',
  '--heap-prof',
  '--cpu-prof',
  '--prof',
  '--inspect',
  '--debug-port',
  '--abort-on-uncaught-exception',
  '--tls-keylog',
  '--trace-tls',
  '--trace-events-enabled',
  '--trace-event-categories',
  '--trace-env',
] as const
/** Variables that do the same by themselves. */
const DUMPING_VARIABLES = ['NODE_DEBUG', 'NODE_DEBUG_NATIVE', 'SSLKEYLOGFILE'] as const

/** Which of them are set, as a person would name them. Never quotes a value. */
export function dumpOptions(
  nodeArguments: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const given = [
    ...nodeArguments.map((text) => ({ text, from: '' })),
    ...(variables['NODE_OPTIONS'] ?? '').split(/[\s"']+/).map((text) => ({ text, from: ' in NODE_OPTIONS' })),
  ]
  const options = given
    // Node takes an underscore for a hyphen.
    .map(({ text, from }) => ({ name: (text.split('=')[0] ?? '').replaceAll('_', '-'), from }))
    .filter(({ name }) => DUMPING_OPTIONS.some((option) => name.startsWith(option)))
    .map(({ name, from }) => `${name}${from}`)
  return [...new Set([...options, ...DUMPING_VARIABLES.filter((name) => (variables[name] ?? '') !== '')])]
}
