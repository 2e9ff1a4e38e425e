import { describe, expect, it } from 'vitest'
import { holdsChance, holdsKeyShape } from '../../src/shared/key-shapes.ts'
import { keyShapes } from '../fixtures/key-shapes.ts'
import { cpuOf } from '../support/cpu-spent.ts'

const SHAPES = keyShapes('looks')

describe('a key', () => {
  it.each(SHAPES.filter(({ kind }) => kind !== 'random'))('is told by its looks: $kind', ({ value }) => {
    for (const text of [
      value,
      `set it to ${value} please`,
      `"${value}"`,
      `key=${value}`,
      `aws_secret_access_key = ${value}`,
    ]) {
      expect(holdsKeyShape(text)).toBe(true)
    }
  })

  it.each(keyShapes('chance').filter(({ kind }) => kind === 'random'))('is told by chance: $value', ({ value }) => {
    expect(holdsKeyShape(value)).toBe(false)
    expect(holdsChance(`There is no operation “${value}”.`)).toBe(true)
  })
})

describe('what people type every day', () => {
  it.each([
    'logs shop --since 2026-11-20T03:10:00Z --until morning --cache MISS,STALE --by path',
    'dns add shop TXT _dmarc "v=DMARC1; p=reject; rua=mailto:dmarc-reports@mail.example.com"',
    'dns add shop CNAME d1a2b3c4d5e6f7.verify d-abcdef1234567890.acm-validations.example.net',
    'library create marketing-videos-of-the-autumn-campaign --regions DE,NY --resolutions 720p,1080p',
    'changes show 0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0',
    'https://panel.example.com/pull-zone/301?view=statistics',
    'changes settle 0f1e2d3c4b5a69788796a5b4c3d2e1f0 --note "deployed 9fceb02d0ae598e95dc970b74767f19372d61af8"',
    'logs shop --url /Products/2026/Winter/JacketsAndCoats/XL --search ShopFrontendReleaseCandidate2026November',
    'logs shop --url /static/Images/2026/11/Header/Logo42/big --request 0F1E2D3C4B5A69788796A5B4C3D2E1F0AABBCCDD',
    'dns add shop TXT _acme-challenge gfj9Xq-Rg85nM0tOcw7IiBzVdyYk2hL1sPuEaK3vQxA',
    'dns add shop TXT @ mail-verification=Zk3PqA9xW2vB7nM5cL1sD8fG4hJ6kT0yRuEiOpQz',
    'dns add shop CNAME aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7b.example d111111abcdef8.cdn.example.net',
    'dns add shop A sg.singapore-edge-of-the-shop.example 192.0.2.1',
    'dns add shop TXT selector._domainkey "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkMoGeLnQg1fWn7/zYtIxN2SnFC"',
    'zones add storage 9007199254740993 static-assets-of-the-shop-2026',
  ])('is none: %s', (text) => {
    expect(holdsKeyShape(text)).toBe(false)
  })

  it.each([
    'changes show 0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0',
    'Nothing more was expected at: 0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0. Text with spaces goes in quotes.',
    'static-assets-of-the-shop',
    '12345678901234567890123',
  ])('was not made by chance: %s', (text) => expect(holdsChance(text)).toBe(false))

  it('is looked at quickly, however long it is', () => {
    for (const piece of ['a', 'eyJ', '://', 'a://a:', '0a1b2c3d-', 'Bearer ', 'sk-a-', '-----BEGIN ']) {
      const text = piece.repeat(12_000 / piece.length)
      expect(cpuOf(() => [holdsKeyShape(text), holdsChance(text)])).toBeLessThan(500)
    }
  })
})
