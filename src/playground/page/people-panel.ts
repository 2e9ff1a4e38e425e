import type { Member, UserGroup } from '../slack/seed.ts'
import { html, type Html } from './html.ts'
import type { Names } from './reader.ts'
import { SEATS } from './seats.ts'

/** What kinds of people are called, where it matters to the bot. */
const KINDS: Readonly<Partial<Record<Member['kind'], string>>> = {
  guest: 'guest',
  stranger: 'other workspace',
  deactivated: 'deactivated',
}

/** Who is in which user group now, and the configuration file that gives them their roles. */
export function peoplePanelHtml(groups: readonly UserGroup[], names: Names, config: string | undefined): Html {
  const grouped = new Set(groups.flatMap(({ users }) => users))
  const others = SEATS.map(({ userId }) => userId).filter((id) => !grouped.has(id))
  return html`<section><h3>Who is in which group</h3><dl class="facts">${groups.map(({ handle, users, disabledAtS }) =>
    factHtml(`@${handle}${disabledAtS === 0 ? '' : ', disabled'}`, users, names),
  )}${factHtml('In no group', others, names)}</dl></section>${config === undefined ? '' : html`<section><h3>The configuration file</h3><p class="quiet">It gives roles to people and groups, and says what takes the approval of somebody else.</p><pre class="config">${config}</pre></section>`}`
}

function factHtml(title: string, users: readonly string[], names: Names): Html {
  const people = users.map((id) => personWords(names.member(id), id))
  return html`<div><dt>${title}</dt><dd>${people.length === 0 ? 'nobody' : people.join(', ')}</dd></div>`
}

function personWords(member: Member | undefined, id: string): string {
  const kind = member === undefined ? undefined : KINDS[member.kind]
  return `${member?.realName ?? id}${kind === undefined ? '' : ` (${kind})`}`
}
