import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../src/shared/clock.ts'
import { command, openDoor, post } from '../support/http-door.ts'

let open: Awaited<ReturnType<typeof openDoor>>
let said: string[]
let sockets: Socket[]

beforeEach(async () => {
  open = await openDoor()
  said = []
  sockets = []
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await open.door.stop()
})

/** A connection that sends this and no more. */
function crowd(count: number, text: string): void {
  for (let index = 0; index < count; index += 1) {
    const socket = connect(open.port, '127.0.0.1', () => socket.write(text))
    socket.on('error', () => undefined)
    socket.on('data', (data) => said.push(String(data)))
    sockets.push(socket)
  }
}

it('of unfinished bodies, the largest give way where they become too much, and a command is answered', async () => {
  const time = Math.floor(systemClock.now().getTime() / 1_000)
  const signed = `x-slack-request-timestamp: ${time}\r\nx-slack-signature: v0=${'0'.repeat(64)}`
  const head = `POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${signed}`
  crowd(6, `${head}\r\ncontent-length: 1000000\r\n\r\n${'a'.repeat(990_000)}`)
  await expect.poll(() => said.filter((text) => text.startsWith('HTTP/1.1 503')).length).toBeGreaterThanOrEqual(2)
  expect(await post(open.port, { body: command() })).toMatchObject({ status: 200 })
})

it('of connections that brought nothing of Slack’s, the oldest give way where they become too many', async () => {
  crowd(300, 'POST /slack/events HTTP/1.1\r\nx: ')
  await expect.poll(() => sockets.filter(({ destroyed }) => destroyed).length).toBeGreaterThanOrEqual(40)
  expect(sockets.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(256)
  expect(await post(open.port, { body: command() })).toMatchObject({ status: 200 })
})
