import { isBot, type Member } from '../slack/seed.ts'
import { html, type Html } from './html.ts'

const TONES = 8

/** A person's initials on their own colour; the app has a sign of its own. */
export function avatarHtml(member: Member | undefined, size = 36): Html {
  if (member !== undefined && isBot(member)) {
    return html`<svg class="avatar avatar-app" width="${size}" height="${size}" viewBox="0 0 36 36" aria-hidden="true"><rect width="36" height="36" rx="8"/><circle cx="18" cy="18" r="4"/><path d="M18 14V8M18 28v-6M14 18H8M28 18h-6M15 15l-4-4M25 25l-4-4M21 15l4-4M11 25l4-4"/></svg>`
  }
  const initials = (member?.realName ?? '?').split(/\s+/).map((word) => word.charAt(0))
  return html`<svg class="avatar tone-${toneOf(member?.id ?? '')}" width="${size}" height="${size}" viewBox="0 0 36 36" aria-hidden="true"><rect width="36" height="36" rx="8"/><text x="18" y="23" text-anchor="middle">${initials.slice(0, 2).join('')}</text></svg>`
}

function toneOf(id: string): number {
  return Array.from(id).reduce((sum, character) => sum * 3 + (character.codePointAt(0) ?? 0), 7) % TONES
}
