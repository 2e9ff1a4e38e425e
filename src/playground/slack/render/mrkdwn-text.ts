import { CHANNELS, MEMBERS, USER_GROUPS } from '../seed.ts'

const MARKUP = /<([@#!]?)([^<>|]+)(?:\|([^<>]*))?>/g

/** Slack's markup as a reader sees it: names for ids, labels with their links, and no entities. */
export function readableMrkdwn(markup: string): string {
  const read = markup.replace(MARKUP, (_whole, sigil: string, target: string, label: string | undefined) => {
    if (sigil === '@') return personName(target)
    if (sigil === '#') return channelName(target)
    if (sigil === '!') return specialName(target, label)
    const address = target.replace(/^mailto:/, '')
    return label === undefined || label === address ? address : `${label} (${address})`
  })
  return read.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** `@vera` for a person's id; the id itself for somebody unknown. */
function personName(id: string): string {
  return `@${MEMBERS.find((member) => member.id === id)?.name ?? id}`
}

/** `#ops` for a channel's id; the id itself for an unknown one. */
function channelName(id: string): string {
  return `#${CHANNELS.find((channel) => channel.id === id)?.name ?? id}`
}

/** `@cdn-operators` for a user group's id. */
function groupName(id: string): string {
  return `@${USER_GROUPS.find((group) => group.id === id)?.handle ?? id}`
}

function specialName(target: string, label: string | undefined): string {
  if (target.startsWith('date^')) return label ?? target
  if (target.startsWith('subteam^')) return groupName(target.slice('subteam^'.length))
  return `@${target}`
}
