import * as z from 'zod'
import type { Clock } from '../../../shared/clock.ts'
import type { Member } from '../seed.ts'
import { SlackError } from '../slack-error.ts'
import { epochSeconds } from '../timestamps.ts'
import { defineMethod, TIER, type Method } from './method.ts'

/** People. */
export const userMethods: Readonly<Record<string, Method>> = {
  'users.info': defineMethod({
    token: 'bot',
    scope: 'users:read',
    perMinute: TIER.four,
    args: z.object({ user: z.string() }),
    run: ({ user }, { workspace, clock }) => {
      const member = workspace.findMember(user)
      if (member === undefined) throw new SlackError('user_not_found')
      return { user: userPayload(member, clock) }
    },
  }),
}

function userPayload(member: Member, clock: Clock): Readonly<Record<string, unknown>> {
  const { kind } = member
  const offset = zoneOffsetS(member.timeZone, clock.now())
  return {
    id: member.id,
    team_id: member.teamId,
    name: member.name,
    deleted: kind === 'deactivated',
    real_name: member.realName,
    tz: member.timeZone,
    tz_label: member.timeZone,
    tz_offset: offset,
    profile: { real_name: member.realName, display_name: member.name, team: member.teamId },
    is_admin: kind === 'admin',
    is_owner: false,
    is_primary_owner: false,
    is_restricted: kind === 'guest',
    is_ultra_restricted: false,
    is_bot: kind === 'bot',
    is_app_user: false,
    ...(kind === 'stranger' ? { is_stranger: true } : {}),
    updated: epochSeconds(clock),
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
