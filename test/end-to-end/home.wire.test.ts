import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OLGA, VERA, OPS } from '../../src/playground/slack/state/seed.ts'
import { renderMessage, renderView } from '../../src/playground/slack/render-text.ts'
import { Scene } from './scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await Scene.start()
})
afterAll(async () => scene.close())

async function homeOf(userId: string): Promise<string> {
  const person = scene.stage.slack.person(userId)
  await person.openHome()
  return renderView(await scene.stage.slack.until(() => person.home()))
}

describe('the app’s Home page', () => {
  test('shows each person what they may do', async () => {
    expect(await homeOf(OLGA)).toMatch(
      /Nothing is watched yet[\s\S]*Nothing waits for you[\s\S]*alerts watch[\s\S]*\[Add a DNS record\][\s\S]*You are an operator/,
    )
    const vera = await homeOf(VERA)
    expect(vera).toContain('You are a viewer')
    expect(vera).not.toContain('Add a DNS record]')
  })

  test('opens a form, whose result the person sees there, and everybody in the operations channel', async () => {
    const { slack, cdn } = scene.stage
    const olga = slack.person(OLGA)
    await olga.openHome()
    const home = await slack.until(() => olga.home())
    await olga.click({ view: home }, 'home', 'home:dns add')
    await slack.until(() => olga.view()?.callbackId === 'form')
    await olga.choose('type', 'TXT')
    await slack.until(() => renderView(olga.view() ?? home).includes('Text'))
    await olga.suggest('zone:dns', 'value', '201')
    await olga.choose('zone:dns', '201')
    await olga.submit({ name: 'home', value: 'hello' })
    await slack.until(() => olga.view()?.callbackId === 'review')
    await olga.submit()
    const shown = await slack.until(() => {
      const text = renderView(olga.view() ?? home)
      return text.includes(' added a TXT record') && text
    })
    expect(shown).toContain('home → hello')
    expect(cdn.count('addDnsRecord')).toBe(1)
    await slack.until(() =>
      olga
        .messages(OPS)
        .map(renderMessage)
        .some((text) => text.includes(' added a TXT record')),
    )
  })

  test('opens the form of a read, whose answer comes into direct messages, where its buttons work', async () => {
    const { slack } = scene.stage
    const vera = slack.person(VERA)
    const home = await slack.until(() => vera.home())
    await vera.click({ view: home }, 'home', 'home:storage stats')
    await slack.until(() => vera.view()?.callbackId === 'form')
    await vera.suggest('storageZone:storage', 'value', '101')
    await vera.choose('storageZone:storage', '101')
    await vera.submit()
    const said = (words: RegExp) => vera.messages(vera.direct()).find((each) => words.test(renderMessage(each)))
    const answer = await slack.until(() => said(/Number of files, by day/))
    await vera.click({ message: answer }, 'answer', 'answer:page:1')
    const sent = await slack.until(() => said(/Here is/))
    expect(renderMessage(sent)).toContain('*Storage zone 101 by day*')
  })

  test('is drawn anew by Refresh, with what is not settled', async () => {
    const { slack, cdn } = scene.stage
    const olga = slack.person(OLGA)
    cdn.faults.set('addDnsRecord', { kind: 'reset', carriedOut: true }, { times: 1 })
    await olga.command(olga.direct(), '/cdn dns add 201 A lost 192.0.2.7')
    await slack.until(() => olga.view()?.callbackId === 'review')
    await olga.submit()
    await slack.until(() => renderView(olga.view() ?? ({ title: '' } as never)).includes('may or may not'))
    const home = await slack.until(() => olga.home())
    await olga.click({ view: home }, 'home_foot', 'home:refresh')
    await slack.until(() => renderView(olga.home() ?? home).includes('192.0.2.7'))
    const drawn = olga.home() ?? home
    expect(renderView(drawn)).toMatch(
      /Waits for you[\s\S]*lost[\s\S]*Unknown[\s\S]*\[It exists\] \[It does not exist\] \[Open\]/,
    )
    const blockId = JSON.stringify(drawn).match(/home:exists-absent-open:[0-9a-f]{32}/)?.[0] ?? ''
    await olga.click({ view: drawn }, blockId, 'home:open')
    const opened = await slack.until(() => olga.view()?.title === 'Change' && olga.view())
    expect(renderView(opened)).toContain('192.0.2.7')
    await olga.closeView()
    await olga.click({ view: drawn }, blockId, 'home:exists')
    await slack.until(() => !renderView(olga.home() ?? home).includes('192.0.2.7'))
  })
})
