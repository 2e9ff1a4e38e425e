import { ADA, OPS } from './slack/seed.ts'
import type { Stage } from './stage.ts'

/** The zones of the made-up account by the names the team gave them before anybody looks: kind, id, name. */
const ZONES = [
  ['pull', 301, 'shop'],
  ['storage', 101, 'shop'],
  ['dns', 201, 'shop'],
  ['pull', 302, 'media'],
  ['storage', 102, 'media'],
] as const

/** Names the zones the way a team would, by commands of its admin, and leaves the channel as it was. */
export async function nameZones({ slack, bot }: Pick<Stage, 'slack' | 'bot'>): Promise<void> {
  const ada = slack.person(ADA)
  for (const [kind, id, name] of ZONES) {
    const before = ada.messages(OPS).length
    const outcome = await ada.command(OPS, `/cdn zones add ${kind} ${id} ${name}`)
    if (!outcome.ok) throw new Error(`The zones could not be named: ${outcome.shown}`)
    await slack.until(() => ada.messages(OPS).length > before)
  }
  ada.reload()
  // What else the bot notes while it starts may lie between.
  const asked = await bot.record.list({ operation: 'zones add', limit: ZONES.length })
  const named = asked.filter(({ event }) => event === 'zone_added')
  if (named.length < ZONES.length) throw new Error('The zones could not be named')
}
