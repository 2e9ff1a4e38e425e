import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import * as z from 'zod'
import { Settings } from '../src/config/settings.ts'
import { EXIT_CONFIGURATION } from '../src/process/exit.ts'
import { dockerfile } from './support/image-build.ts'
import { startCommand } from './support/start-command.ts'

const page = readFileSync('.github/docs/operations.md', 'utf8')
const block = (kind: string): string => new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)?.[1] ?? ''
const image = (name: string): string => dockerfile().findLast((each) => each.name === name)?.text ?? ''

describe('the unit of systemd', () => {
  const unit = block('ini')
  const lines = unit.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const all = (name: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1))

  it('is sections of assignments', () => {
    expect(lines.filter((line) => line.startsWith('['))).toEqual(['[Unit]', '[Service]', '[Install]'])
    expect(lines.filter((line) => !/^(\[\w+\]|[A-Z][A-Za-z]+=.+)$/.test(line))).toEqual([])
  })

  it('starts the bot as npm start does, again unless that does not help, and lets it end', () => {
    expect(all('ExecStart')).toEqual([`/usr/bin/node ${startCommand().join(' ')}`])
    expect([all('Restart'), all('RestartPreventExitStatus')]).toEqual([['always'], [String(EXIT_CONFIGURATION)]])
    expect(Number(all('TimeoutStopSec')[0])).toBeGreaterThan(35)
  })

  it('gives settings that there are, and no secret', () => {
    const names = all('Environment').map((line) => line.split('=')[0] ?? '')
    expect(names.toSorted()).toEqual(['ENV_FILE', 'HEALTH_PORT', 'STORE_URL'])
    expect(names.filter((name) => !(name in Settings.shape))).toEqual([])
    expect(page).toContain(`/${/ENV_FILE=\/(\S+)/.exec(unit)?.[1]}\n`)
    expect(all('Environment').join(' ')).toContain(`STORE_URL=/var/lib/${all('StateDirectory')[0]}/`)
  })

  const isThere = spawnSync('systemd-analyze', ['--version']).status === 0
  it.runIf(isThere)('is one that systemd takes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cdn-ops-unit-'))
    try {
      const file = join(folder, 'cdn-ops.service')
      // Where Node is on this machine, and the folders that are there.
      writeFileSync(file, unit.replace('/usr/bin/node', process.execPath).replace('/opt/cdn-ops', folder))
      const run = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
      const complaints = run.stderr.split('\n').filter((line) => line.includes('cdn-ops.service'))
      expect({ status: run.status, complaints }).toEqual({ status: 0, complaints: [] })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

const Metadata = z.strictObject({ name: z.literal('cdn-ops'), labels: z.strictObject({ app: z.string() }).optional() })
const Probe = z.strictObject({
  httpGet: z.strictObject({ path: z.enum(['/healthz', '/readyz']), port: z.literal('health') }),
  periodSeconds: z.int().optional(),
  timeoutSeconds: z.int(),
})
const Amounts = z.strictObject({
  cpu: z
    .string()
    .regex(/^\d+m$/)
    .optional(),
  memory: z.string().regex(/^\d+Mi$/),
})
const Container = z.strictObject({
  name: z.string(),
  image: z.string(),
  envFrom: z.tuple([z.strictObject({ secretRef: z.strictObject({ name: z.string() }) })]),
  ports: z.tuple([z.strictObject({ name: z.literal('health'), containerPort: z.int() })]),
  livenessProbe: Probe,
  readinessProbe: Probe,
  resources: z.strictObject({ requests: Amounts, limits: Amounts }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.tuple([z.strictObject({ name: z.string(), mountPath: z.string() })]),
})
/** As much of the cluster's API as the page uses; what is misspelt or misplaced is in none of it. */
const Deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata: Metadata,
  spec: z.strictObject({
    replicas: z.literal(1),
    strategy: z.strictObject({ type: z.literal('Recreate') }),
    selector: z.strictObject({ matchLabels: z.strictObject({ app: z.string() }) }),
    template: z.strictObject({
      metadata: z.strictObject({ labels: z.strictObject({ app: z.string() }) }),
      spec: z.strictObject({
        automountServiceAccountToken: z.literal(false),
        terminationGracePeriodSeconds: z.int().min(36),
        securityContext: z.strictObject({
          runAsNonRoot: z.literal(true),
          runAsUser: z.int(),
          runAsGroup: z.int(),
          fsGroup: z.int(),
        }),
        containers: z.tuple([Container]),
        volumes: z.tuple([
          z.strictObject({ name: z.string(), persistentVolumeClaim: z.strictObject({ claimName: z.string() }) }),
        ]),
      }),
    }),
  }),
})
const Claim = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('PersistentVolumeClaim'),
  metadata: z.strictObject({ name: z.string() }),
  spec: z.strictObject({
    accessModes: z.tuple([z.literal('ReadWriteOnce')]),
    resources: z.strictObject({ requests: z.strictObject({ storage: z.string().regex(/^\d+Gi$/) }) }),
  }),
})

describe('the manifest for Kubernetes', () => {
  const documents = parseAllDocuments(block('yaml'))
  const [claim, deployment] = z
    .tuple([Claim, Deployment])
    .parse([...documents].map((document) => document.toJS({ maxAliasCount: 0 }) as unknown))
  const { selector, template } = deployment.spec
  const { containers, volumes, securityContext } = template.spec
  const [container] = containers

  it('is without a mistake of YAML', () => {
    expect([...documents].flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
  })

  it('selects what it makes, and mounts the claim it makes where the image keeps the store', () => {
    expect(selector.matchLabels).toEqual(template.metadata.labels)
    expect(volumes[0].persistentVolumeClaim.claimName).toBe(claim.metadata.name)
    expect(container.volumeMounts).toEqual([{ name: volumes[0].name, mountPath: image('VOLUME') }])
  })

  it('looks at the port of the image, as its user', () => {
    expect(container.ports[0].containerPort).toBe(Number(image('EXPOSE')))
    const { runAsUser, runAsGroup } = securityContext
    expect(`${runAsUser}:${runAsGroup}`).toBe(image('USER'))
    expect([container.livenessProbe.httpGet.path, container.readinessProbe.httpGet.path]).toEqual([
      '/healthz',
      '/readyz',
    ])
  })

  it('takes the secret that the page makes from the file of settings', () => {
    const { name } = container.envFrom[0].secretRef
    expect(page).toContain(`kubectl create secret generic ${name} --from-env-file=cdn-ops.env`)
  })
})

it('every command of the page is one that a shell can read', () => {
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text = '']) => text)
  expect(blocks.length).toBeGreaterThan(5)
  for (const text of blocks) expect(execFileSync('sh', ['-n', '-c', text], { encoding: 'utf8' })).toBe('')
})
