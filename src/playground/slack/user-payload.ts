import type { Clock } from '../../shared/clock.ts'
import { ENTERPRISE, isBot, type Member } from './seed.ts'
import { epochSeconds } from './timestamps.ts'

type Payload = Readonly<Record<string, unknown>>

/** A person as `users.info` and events describe them. Of somebody deactivated Slack leaves most out. */
export function userPayload(member: Member, clock: Clock): Payload {
  const { id, teamId, name, realName, kind, timeZone } = member
  const known = {
    id,
    team_id: teamId,
    name,
    deleted: kind === 'deactivated',
    profile: { real_name: realName, display_name: name, team: teamId },
    is_bot: isBot(member) && kind !== 'slackbot',
    is_app_user: false,
    updated: epochSeconds(clock),
  }
  if (kind === 'deactivated') return known
  return {
    ...known,
    real_name: realName,
    tz: timeZone,
    tz_label: timeZone,
    tz_offset: zoneOffsetS(timeZone, clock.now()),
    is_admin: kind === 'admin',
    is_owner: false,
    is_primary_owner: false,
    is_restricted: kind === 'guest' || kind === 'single-channel guest',
    is_ultra_restricted: kind === 'single-channel guest',
    ...(kind === 'stranger' ? { is_stranger: true } : {}),
    ...(kind === 'workflow bot' ? { is_workflow_bot: true } : {}),
    ...enterpriseFields(member),
  }
}

/** Of people of an organisation Slack says which of its workspaces they are in. */
function enterpriseFields({ id, gridTeams: teams }: Member): Payload {
  if (teams === undefined) return {}
  return {
    enterprise_user: {
      id,
      enterprise_id: ENTERPRISE.id,
      enterprise_name: ENTERPRISE.name,
      is_admin: false,
      is_owner: false,
      is_primary_owner: false,
      teams,
    },
  }
}

/** Seconds east of Greenwich at this moment. */
function zoneOffsetS(timeZone: string, at: Date): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
  const written = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT'
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(written) ?? []
  const seconds = Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60
  return sign === '-' ? -seconds : seconds
}
