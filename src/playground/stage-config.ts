import { ADA, ADMINS_GROUP, OPERATORS_GROUP, VERA } from './slack/seed.ts'

/**
 * The configuration file of the playground: who is what, and one rule worth trying. Short waits, so that at the speed
 * the page offers an approval expires while one looks.
 */
export const PLAYGROUND_CONFIG = `roles:
  admin:
    users: [${ADA}] # Ada, by name
  operator:
    groups: [${OPERATORS_GROUP}] # Olga and Otto
  viewer:
    users: [${VERA}] # Vera
zones:
  - kind: dns
    id: 202
    name: media
approvals:
  count: 1
  roles: [operator, admin]
  expireAfter: 30m
policies:
  - operations: [dns add]
    zones: [dns/202]
    decision: approve
    reason: The DNS zone media takes two people.
breakGlass:
  groups: [${ADMINS_GROUP}] # Ada
`
