import { choice } from '../choice-field.ts'
import type { NamedZone } from '../field.ts'
import { checked, text } from '../fields.ts'
import type { ZoneKind } from '../../store/zone-names.ts'

/** How a kind of zone is called in sentences. */
export const KIND_WORDS: Readonly<Record<ZoneKind, string>> = {
  pull: 'pull zone',
  storage: 'storage zone',
  dns: 'DNS zone',
}

const MAX_NAME_CHARACTERS = 40
const NAME = /^[a-z0-9][a-z0-9._-]*$/i

/** Which of the three kinds of zone a name is for. */
export const zoneKind = choice({
  label: 'Kind',
  hint: 'What the name stands for: a pull zone, a storage zone or a DNS zone.',
  choices: [
    { value: 'pull', label: 'Pull zone' },
    { value: 'storage', label: 'Storage zone' },
    { value: 'dns', label: 'DNS zone' },
  ],
})

/** A name that can be typed wherever an id can, so it must never look like an id or a flag. */
export const zoneName = checked(
  text({
    label: 'Name',
    hint: `Letters, digits, points, hyphens and underscores, beginning with a letter or digit; not only digits; at most ${MAX_NAME_CHARACTERS}.`,
    maxLength: MAX_NAME_CHARACTERS,
  }),
  (name) => {
    if (!NAME.test(name)) {
      return 'A name is made of letters, digits, points, hyphens and underscores, and begins with a letter or digit.'
    }
    return /^\d+$/.test(name) ? 'A name cannot be digits only: it would be taken for an id.' : undefined
  },
)

/** The zone to which the configuration gives this name, if it does: no command gives or takes a name that is there. */
export function managedZone(kind: ZoneKind, name: string, zones: readonly NamedZone[]): NamedZone | undefined {
  return zones.find((zone) => zone.managed === true && zone.kind === kind && isSameName(zone.name, name))
}

/** Names that differ only in case are the same. */
export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
