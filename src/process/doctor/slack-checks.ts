import { whyClosed } from '../../execution/policy/approvers.ts'
import { SlackError, TOKEN_REFUSED } from '../../slack/out/web-api.ts'
import { UserGroups } from '../../slack/people/group-members.ts'
import { type Identity, NoWorkspaceError } from '../../slack/people/identity.ts'
import { DEACTIVATED, findBar, type Person, Profile } from '../../slack/people/membership.ts'
import { GIVEN_ROLES, listedUsers, namedGroups } from '../../slack/people/role-sources.ts'
import {
  alertRulesOf,
  broken,
  type Check,
  found,
  type Look,
  named,
  minor,
  type Patient,
  sound,
  unknown,
} from './check.ts'

async function lookAtBotToken({ identity, settings }: Patient): Promise<Look> {
  try {
    const { teamId, isOrgWide } = await identity
    return sound(`for the workspace ${teamId}${isOrgWide ? ', granted by its organisation' : ''}`)
  } catch (error) {
    if (error instanceof NoWorkspaceError) return broken('bot-token:workspace', error.message, error.remedy)
    const code = codeOf(error)
    if (!TOKEN_REFUSED.has(code)) return unreachable(code, settings.SLACK_API_URL)
    const happened = `Slack refuses SLACK_BOT_TOKEN (${code}), so nothing in Slack works.`
    const remedy = 'Put in the token that OAuth & Permissions of the app shows, then start again.'
    return broken(`bot-token:${code}`, happened, remedy)
  }
}

function unreachable(code: string, { origin }: URL): Look {
  const happened = `Slack gives no answer at ${origin} (${code}), so nothing in Slack works.`
  return broken('slack:no-answer', happened, 'Allow HTTPS and WebSockets to it, or see Slack’s status page.')
}

/** Asks where a link could be opened, and opens none: a second one would take deliveries. */
async function lookAtAppToken({ slackApp, settings }: Patient): Promise<Look> {
  if (slackApp === undefined) return sound('not needed: Slack sends requests to PORT')
  try {
    await slackApp.call('lookup', 'apps.connections.open', {})
    return sound('opens connections')
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ratelimited') return unknown('Slack asks to wait')
    if (code === 'no_answer' || code === 'http_error') return unreachable(code, settings.SLACK_API_URL)
    const happened = `Slack opens no connection with SLACK_APP_TOKEN (${code}), so nothing reaches CDN Ops.`
    const remedy = 'Turn Socket Mode on, and put in an app-level token with connections:write from Basic Information.'
    return broken(`app-token:${code}`, happened, remedy)
  }
}

/** What does not work without each scope of the manifest; a test compares the two. */
export const SCOPES: Readonly<Record<string, string>> = {
  'app_mentions:read': 'mentions of CDN Ops are not heard',
  'channels:read': 'alerts cannot be turned on in channels',
  'chat:write': 'nothing can be posted',
  commands: 'Slack does not know its command',
  'files:write': 'CSV files cannot be sent',
  'groups:read': 'alerts cannot be turned on in private channels',
  'im:history': 'direct messages to CDN Ops are not heard',
  'usergroups:read': 'the user groups that are named give no role',
  'users:read': 'nobody has a role',
}
/** Without these the rest works, and says what it lacks. */
const LESSER: ReadonlySet<string> = new Set(['files:write', 'groups:read', 'im:history'])

async function lookAtScopes(patient: Patient, { scopes }: Identity): Promise<Look> {
  if (scopes === undefined) return unknown('Slack does not say which are granted')
  const hasGroups = namedGroups(patient.configuration.roles).size > 0
  const needed = Object.entries(SCOPES).filter(([scope]) => scope !== 'usergroups:read' || hasGroups)
  const missing = needed.filter(([scope]) => !scopes.includes(scope))
  if (missing.length === 0) return sound(`all ${needed.length} that are needed here`)
  const remedy = 'Add it under OAuth & Permissions of the app, then install the app again.'
  const findings = missing.map(([scope, without]) => {
    const happened = `The Slack app was not granted the scope ${scope}, so ${without}.`
    return { cause: `scope:${scope}`, stops: !LESSER.has(scope), happened, remedy }
  })
  return found(...findings)
}

async function lookAtOpsChannel({ settings: { OPS_CHANNEL: id }, channels }: Patient): Promise<Look> {
  if (id === undefined) {
    const happened = 'OPS_CHANNEL is not set, so nobody can be asked for an approval, and warnings go to the log alone.'
    return minor('ops-channel:unset', happened, 'Name a channel by its id, and invite CDN Ops there.')
  }
  const closed = await whyClosed(channels, id)
  if (closed !== undefined)
    return broken(`ops-channel:${id}:${closed.why}`, `${closed.why}; it names ${id}.`, closed.next)
  const isKnown = (await channels.info(id)) !== 'unknown'
  return isKnown ? sound(`CDN Ops is in ${id}`) : unknown('Slack does not say what this channel is')
}

async function lookAtGroups(patient: Patient, identity: Identity): Promise<Look> {
  const wanted = [...namedGroups(patient.configuration.roles)]
  if (wanted.length === 0) return sound('none is named for a role')
  const gone = await missingGroups(patient, identity, wanted)
  if (typeof gone === 'string' && gone !== NO_GROUPS) return unknown(`Slack does not list user groups (${gone})`)
  if (typeof gone === 'string') {
    const happened = 'The plan of this Slack workspace has no user groups, so those that are named give no role.'
    return broken('groups:plan', happened, 'List people by their ids instead.')
  }
  if (gone.length === 0) return sound(`${wanted.length} named, all there`)
  const happened = `Slack has no user group ${named(gone)}, or it is disabled, so it gives no role.`
  const remedy = 'Correct the id in the configuration file, or enable the group in Slack.'
  return broken(`groups:${gone.join(',')}`, happened, remedy)
}

const NO_GROUPS = 'plan_upgrade_required'

/** Those that are not there or disabled; Slack's error code where it lists none. */
async function missingGroups(
  { slack }: Patient,
  { isOrgWide, teamId }: Identity,
  wanted: readonly string[],
): Promise<readonly string[] | string> {
  try {
    const answer = await slack.call('lookup', 'usergroups.list', isOrgWide ? { team_id: teamId } : {})
    const active = UserGroups.parse(answer).usergroups.filter((group) => group.date_delete === 0)
    return wanted.filter((wantedId) => !active.some(({ id }) => id === wantedId))
  } catch (error) {
    return codeOf(error)
  }
}

/** Of more, the first are looked at: Slack has a limit, and somebody waits. */
const MAX_PEOPLE = 50

async function lookAtPeople(patient: Patient, identity: Identity): Promise<Look> {
  const { roles } = patient.configuration
  const all = [...new Set(GIVEN_ROLES.flatMap((role) => [...listedUsers(roles, role)]))]
  const people = all.slice(0, MAX_PEOPLE)
  const problems = await peopleProblems(patient, people, (person) => findBar(person, identity))
  if (typeof problems === 'string') return unknown(`Slack does not say who they are (${problems})`)
  if (problems.length === 0) return sound(`${people.length} of ${all.length} looked up, all full members`)
  const happened = `Some who are listed for a role can have none: ${named(problems)}.`
  const remedy = 'Correct these ids in ADMINS, OPERATORS, VIEWERS or the configuration file, or take them out.'
  return minor(`people:${problems.join(',')}`, happened, remedy)
}

async function peopleProblems(
  { slack }: Patient,
  people: readonly string[],
  wrong: (person: Person) => string | undefined,
): Promise<readonly string[] | string> {
  const problems: string[] = []
  for (const user of people) {
    try {
      const why = wrong(Profile.parse(await slack.call('lookup', 'users.info', { user })).user)
      if (why !== undefined) problems.push(`${user} (${why})`)
    } catch (error) {
      const code = codeOf(error)
      if (code !== 'user_not_found' && code !== 'user_not_visible') return code
      problems.push(`${user} (Slack knows nobody by this id)`)
    }
  }
  return problems
}

/** Whom alerts mention, at once or later. Most rules stand in the store, which beside a running bot that bot alone has. */
async function lookAtPinged(patient: Patient, identity: Identity): Promise<Look> {
  const { configuration, store } = patient
  // That the store cannot be read is for another check to say.
  const rules = await alertRulesOf(patient).catch(() => configuration.file.alertRules)
  const all = [...new Set(rules.flatMap(({ mention, escalate }) => [mention ?? [], escalate ?? []].flat()))]
  const groups = all.filter((id) => id.startsWith('S'))
  const people = all.filter((id) => !id.startsWith('S')).slice(0, MAX_PEOPLE)
  const gone = groups.length === 0 ? [] : await missingGroups(patient, identity, groups)
  const left = await peopleProblems(patient, people, ({ deleted }) => (deleted ? DEACTIVATED : undefined))
  if (typeof gone === 'string' || typeof left === 'string')
    return unknown(`Slack does not say who they are (${String(typeof gone === 'string' ? gone : left)})`)
  const problems = [...gone.map((id) => `${id} (no such user group, or it is disabled)`), ...left]
  if (problems.length > 0) {
    const happened = `Alerts mention somebody who cannot hear it: ${named(problems)}.`
    const remedy = 'Name somebody else with alerts watch or alerts add, or in the configuration file.'
    return broken(`pinged:${problems.join(',')}`, happened, remedy)
  }
  if (typeof store === 'string') return unknown(store)
  if (store instanceof Error) return unknown('whom alerts mention stands in the store')
  return sound(
    all.length === 0 ? 'nobody is named' : `${groups.length + people.length} of ${all.length} looked up, all there`,
  )
}

async function lookAtDrawings({ blockRefusals }: Patient): Promise<Look> {
  const refused = blockRefusals?.() ?? []
  if (refused.length === 0) return sound('nothing was refused within the last hour')
  const what = refused.map(({ place, drawing, code }) => `${drawing} (${place}: ${code})`)
  const happened = `Slack refused ${named(what)}, so messages there show the numbers as text.`
  return minor(
    'drawings',
    happened,
    'See what this workspace takes with npm run live-check; each is tried again after an hour.',
  )
}

function codeOf(error: unknown): string {
  return error instanceof SlackError ? error.code : 'unreadable answer'
}

/** Not made without a token that works: the check of that says why it does not. */
function withIdentity(look: (patient: Patient, identity: Identity) => Promise<Look>): Check['look'] {
  return async (patient) => {
    const identity = await patient.identity.catch(() => undefined)
    return identity === undefined ? unknown('the bot token does not work') : look(patient, identity)
  }
}

export const SLACK_CHECKS: readonly Check[] = [
  { name: 'bot token', look: lookAtBotToken },
  { name: 'app token', look: lookAtAppToken },
  { name: 'scopes', look: withIdentity(lookAtScopes) },
  { name: 'OPS_CHANNEL', look: withIdentity(lookAtOpsChannel) },
  { name: 'user groups', look: withIdentity(lookAtGroups) },
  { name: 'people', look: withIdentity(lookAtPeople) },
  { name: 'mentioned by alerts', ofBot: true, look: withIdentity(lookAtPinged) },
  { name: 'charts and tables', ofBot: true, look: lookAtDrawings },
]
