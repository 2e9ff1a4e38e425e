import { html, type Html } from '../html.ts'

/**
 * A picture by its description. The page never loads anything from elsewhere, so that nothing leaves the machine and
 * no address in a message can tell its owner who looked.
 */
export function pictureHtml({ alt_text: words }: { readonly alt_text: string }): Html {
  return html`<span class="picture" role="img" aria-label="${words}"><span aria-hidden="true">🖼 ${words}</span></span>`
}
