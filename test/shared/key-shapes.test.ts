import { describe, expect, it } from 'vitest'
import { holdsChance, holdsKeyShape } from '../../src/shared/key-shapes.ts'
import { keyShapes } from '../fixtures/key-shapes.ts'

const SHAPES = keyShapes('looks')

describe('a key', () => {
  it.each(SHAPES.filter(({ kind }) => kind !== 'random'))('is told by its looks: $kind', ({ value }) => {
    for (const text of [value, `set it to ${value} please`, `"${value}"`, `key=${value}`]) {
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
    'zones add storage 9007199254740993 static-assets-of-the-shop-2026',
  ])('is none: %s', (text) => {
    expect(holdsKeyShape(text)).toBe(false)
  })

  it.each([
    'changes show 0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0',
    'static-assets-of-the-shop',
    '12345678901234567890123',
  ])('was not made by chance: %s', (text) => expect(holdsChance(text)).toBe(false))

  it('is looked at quickly, however long it is', () => {
    for (const piece of ['a', 'eyJ', '://', 'a://a:', '0a1b2c3d-', 'Bearer ', 'sk-a-', '-----BEGIN ']) {
      const text = piece.repeat(12_000 / piece.length)
      const startedAt = performance.now()
      holdsKeyShape(text)
      holdsChance(text)
      expect(performance.now() - startedAt).toBeLessThan(500)
    }
  })
})
