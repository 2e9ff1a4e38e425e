import { expect, test } from 'vitest'
import { readConfigFile } from '../../src/config/file.ts'

function problems(text: string): readonly string[] {
  const read = readConfigFile(text)
  return read.ok ? [] : read.problems
}
const rule = (text: string): string => `policies: [{${text}}]`

test.each([
  ['[]', 'The file is not a map of names and values.'],
  ['roles: []', 'roles (line 1) is not a map of names and values.'],
  ['roles:', 'roles (line 1) is empty: fill it or take it out.'],
  [
    '__proto__: {}',
    '__proto__ (line 1) is not known here; known are roles, zones, approvals, policies, breakGlass, alerts.',
  ],
  [
    'constructor: {}',
    'constructor (line 1) is not known here; known are roles, zones, approvals, policies, breakGlass, alerts.',
  ],
  ['policy: []', 'policy (line 1) is not known here; known are roles, zones, approvals, policies, breakGlass, alerts.'],
  ['roles: {none: {}}', 'roles.none (line 1) is not known here; known are admin, operator, viewer.'],
  ['roles: {admin: {everybody: true}}', 'roles.admin.everybody (line 1) is not known here; known are users, groups.'],
  ['roles: {viewer: {everybody: yes}}', 'roles.viewer.everybody (line 1) is not true or false.'],
  ['roles: {admin: {users: U01}}', 'roles.admin.users (line 1) is not a list.'],
  ['roles: {admin: {users: [5]}}', 'roles.admin.users[0] (line 1) is not a Slack user id such as U0123456789.'],
  ['roles: {admin: {users: [null]}}', 'roles.admin.users[0] (line 1) is empty: fill it or take it out.'],
  [
    'roles: {admin: {groups: [U01]}}',
    'roles.admin.groups[0] (line 1) is not the id of a Slack user group, such as S0123456789.',
  ],
  [`roles: {admin: {users: [${'U01, '.repeat(1_001)}]}}`, 'roles.admin.users (line 1) has more than 1000 entries.'],

  ['zones: [{kind: dns, name: a}]', 'zones[0].id (line 1) is not given.'],
  ['zones: [{kind: cdn, id: 1, name: a}]', 'zones[0].kind (line 1) is none of pull, storage, dns.'],
  ['zones: [{kind: dns, id: 0, name: a}]', 'zones[0].id (line 1) is not the id of a zone, such as 201.'],
  ['zones: [{kind: dns, id: 1.5, name: a}]', 'zones[0].id (line 1) is not the id of a zone, such as 201.'],
  ['zones: [{kind: dns, id: -1, name: a}]', 'zones[0].id (line 1) is not the id of a zone, such as 201.'],
  ['zones: [{kind: dns, id: [1], name: a}]', 'zones[0].id (line 1) is not the id of a zone, such as 201.'],
  [
    'zones: [{kind: dns, id: "9223372036854775808", name: a}]',
    'zones[0].id (line 1) is not the id of a zone, such as 201.',
  ],
  [
    'zones: [{kind: dns, id: 9007199254740993, name: a}]',
    'zones[0].id (line 1) is too long for a number, which would lose its last digits: put it in quotes.',
  ],
  ['zones: [{kind: dns, id: 1, name: 12}]', 'zones[0].name (line 1) is not text: put it in quotes.'],
  [
    'zones: [{kind: dns, id: 1, name: "12"}]',
    'zones[0].name (line 1): A name cannot be digits only: it would be taken for an id.',
  ],
  [
    'zones: [{kind: dns, id: 1, name: a}, {kind: dns, id: 2, name: A}]',
    'zones[1].name (line 1) is already the name of another dns zone.',
  ],

  ['approvals: {count: 0}', 'approvals.count (line 1) is less than 1.'],
  ['approvals: {count: 11}', 'approvals.count (line 1) is more than 10.'],
  ['approvals: {count: 1.5}', 'approvals.count (line 1) is not a whole number from 1 to 10.'],
  ['approvals: {roles: [viewer]}', 'approvals.roles[0] (line 1) is none of operator, admin.'],
  ['approvals: {roles: []}', 'approvals (line 1) leaves nobody to approve: name a role or a user group.'],
  ['approvals: {expireAfter: 4m}', 'approvals.expireAfter (line 1) is not a time from 5m to 7d, such as 8h.'],
  ['approvals: {expireAfter: 8d}', 'approvals.expireAfter (line 1) is not a time from 5m to 7d, such as 8h.'],
  ['approvals: {expireAfter: 8}', 'approvals.expireAfter (line 1) is not a time from 5m to 7d, such as 8h.'],
  ['approvals: {expireAfter: -8h}', 'approvals.expireAfter (line 1) is not a time from 5m to 7d, such as 8h.'],
  ['breakGlass: {}', 'breakGlass.groups (line 1) is not given.'],
  [
    'breakGlass: {groups: [U01]}',
    'breakGlass.groups[0] (line 1) is not the id of a Slack user group, such as S0123456789.',
  ],

  [rule('operations: [dns add]'), 'policies[0].decision (line 1) is not given.'],
  [
    rule('decision: confirm'),
    'policies[0].decision (line 1) is neither approve nor deny: a rule only tightens what roles allow.',
  ],
  [
    rule('decision: run'),
    'policies[0].decision (line 1) is neither approve nor deny: a rule only tightens what roles allow.',
  ],
  [
    rule('decision: deny, operation: [logs]'),
    'policies[0].operation (line 1) is not known here; known are operations, roles, channels, outside, zones, decision, approvals, reason.',
  ],
  [rule('decision: deny, operations: []'), 'policies[0].operations (line 1) is an empty list: fill it or take it out.'],
  [
    rule('decision: deny, operations: [dns ad]'),
    'policies[0].operations[0] (line 1) is no operation: dns ad. Did you mean dns add?',
  ],
  [
    rule('decision: deny, operations: [quite another]'),
    'policies[0].operations[0] (line 1) is no operation: quite another.',
  ],
  [rule('decision: deny, roles: [none]'), 'policies[0].roles[0] (line 1) is none of viewer, operator, admin.'],
  [
    rule('decision: deny, channels: [general]'),
    'policies[0].channels[0] (line 1) is not a channel id such as C0123456789.',
  ],
  [rule('decision: deny, zones: [shop]'), 'policies[0].zones[0] (line 1) is not a kind and an id such as dns/201.'],
  [
    rule('decision: deny, zones: ["dns/ 201"]'),
    'policies[0].zones[0] (line 1) is not a kind and an id such as dns/201.',
  ],
  [rule('decision: deny, zones: [dns/201/]'), 'policies[0].zones[0] (line 1) is not a kind and an id such as dns/201.'],
  [rule('decision: deny, zones: [dns/0201]'), 'policies[0].zones[0] (line 1) is not a kind and an id such as dns/201.'],
  [
    rule('decision: deny, zones: [dns/9999999999999999999]'),
    'policies[0].zones[0] (line 1) is not a kind and an id such as dns/201.',
  ],
  [rule('decision: deny, reason: ""'), 'policies[0].reason (line 1) is not one line of text.'],
  [rule('decision: deny, reason: "a\\nb"'), 'policies[0].reason (line 1) is not one line of text.'],
  [rule(`decision: deny, reason: ${'x'.repeat(301)}`), 'policies[0].reason (line 1) is longer than 300 characters.'],
  [
    rule('decision: approve, approvals: {groups: []}'),
    'policies[0].approvals (line 1) leaves nobody to approve: name a role or a user group.',
  ],
  [
    rule('decision: approve, approvals: {expireAfter: 1h}'),
    'policies[0].approvals.expireAfter (line 1) is not known here; known are count, roles, groups.',
  ],
])('%s', (text, told) => {
  expect(problems(text)).toEqual([told])
})

/** Rules that are well written and could never have an effect: somebody would rely on them. */
test.each([
  [
    'decision: approve, operations: [dns add, logs]',
    'operations[1] (line 1) does not write to the platform, so nobody is asked to approve it: logs.',
  ],
  [
    'decision: approve, operations: [zones add]',
    'operations[0] (line 1) does not write to the platform, so nobody is asked to approve it: zones add.',
  ],
  ['decision: deny, operations: [help]', 'operations[0] (line 1) is for everybody, which no rule changes: help.'],
  ['decision: approve, roles: [viewer]', 'roles (line 1) names nobody who could do what the rule is about anyway.'],
  [
    'decision: deny, roles: [viewer], operations: [dns add]',
    'operations[0] (line 1) is nothing that the roles of the rule may do anyway: dns add.',
  ],
  [
    'decision: deny, operations: [logs], zones: [pull/1, dns/1]',
    'zones[1] (line 1) is met by no operation of the rule: none is about a dns zone.',
  ],
  [
    'decision: deny, channels: [C01], outside: [C02, C01]',
    'outside (line 1) leaves out every channel that the rule is for.',
  ],
  ['decision: deny, approvals: {count: 2}', 'approvals (line 1) has no meaning in a rule that denies: take it out.'],
])('a rule without effect: %s', (text, told) => {
  expect(problems(rule(text))).toEqual([`policies[0].${told}`])
})

test('what is wrong with names and rules is told together with what is wrong with their form', () => {
  const text = `
approvals: {count: two}
zones: [{kind: dns, id: 1, name: a}, {kind: dns, id: x, name: b}]
policies:
  - {decision: allow, operations: [dns ad, 7]}
  - {decision: approve, roles: [viewer]}
  - nonsense
  - {decision: deny, operations: [logs], colour: red}`
  const known = 'operations, roles, channels, outside, zones, decision, approvals, reason'
  expect(problems(text).toSorted()).toEqual([
    'approvals.count (line 2) is not a whole number from 1 to 10.',
    'policies[0].decision (line 5) is neither approve nor deny: a rule only tightens what roles allow.',
    'policies[0].operations[0] (line 5) is no operation: dns ad. Did you mean dns add?',
    'policies[0].operations[1] (line 5) is not text: put it in quotes.',
    'policies[1].roles (line 6) names nobody who could do what the rule is about anyway.',
    'policies[2] (line 7) is not a map of names and values.',
    `policies[3].colour (line 8) is not known here; known are ${known}.`,
    'zones[1].id (line 3) is not the id of a zone, such as 201.',
  ])
})

test.each([
  'decision: deny',
  'decision: approve',
  'decision: deny, roles: [viewer], operations: [logs]',
  'decision: approve, roles: [admin], operations: [library create]',
  'decision: deny, channels: [C01, C02], outside: [C02]',
  'decision: deny, zones: [pull/1, dns/1, storage/1]',
])('a rule with effect: %s', (text) => {
  expect(problems(rule(text))).toEqual([])
})
