/** How a field is typed as a flag: `replicationRegions` is `--replication-regions`. */
export function flagName(field: string): string {
  const words = field.replace(/([a-z0-9])([A-Z])/g, '$1-$2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
  return `--${words.toLowerCase()}`
}
