import * as z from 'zod'
import { md } from '../block-kit/mrkdwn.ts'
import { type Environment, readEnvFile } from './settings.ts'

type Variables = Environment['variables']

export const DEMONSTRATION = md`Demonstration: this CDN is made up, and every full member is an operator.`

/** Tokens of the app that the CLI has made; it may give them under the names of the settings, too. */
export const CLI_TOKENS = { SLACK_APP_TOKEN: 'SLACK_CLI_XAPP', SLACK_BOT_TOKEN: 'SLACK_CLI_XOXB' } as const

/** Those of the CLI count before all others: a file of settings may hold the tokens of another app. */
export function withCliTokens(variables: Variables): Variables {
  const given = Object.entries(CLI_TOKENS).filter(([, name]) => (variables[name] ?? '') !== '')
  return { ...variables, ...Object.fromEntries(given.map(([setting, name]) => [setting, variables[name]])) }
}

const CDN_SETTINGS = ['CDN_API_URL', 'CDN_LOGGING_URL', 'CDN_API_KEY', 'CDN_BEARER_TOKEN']

/** Not one setting of a CDN is there. With some of them somebody means their own, and is told what else it takes. */
export function lacksCdn(environment: Environment): boolean {
  const variables = readEnvFile(environment)
  return CDN_SETTINGS.flatMap((name) => [name, `${name}_FILE`]).every((name) => (variables[name] ?? '').trim() === '')
}

/**
 * Settings that a demonstration keeps. It leaves alone what is meant for a real CDN: a store, a webhook that pages
 * people, rules for alerts.
 */
export function keptInDemonstration(environment: Environment): Variables {
  const isKept = /^(SLACK_|(ADMINS|COMMAND|HEALTH_PORT|LOG_LEVEL|OPS_CHANNEL)$)/
  return Object.fromEntries(Object.entries(readEnvFile(environment)).filter(([name]) => isKept.test(name)))
}

const Package = z.object({ version: z.string(), dependencies: z.record(z.string(), z.string()) })

export function cliVersions(packageJson: string, node: string, environment: Environment): string {
  const { version, dependencies } = Package.parse(JSON.parse(packageJson))
  const message = 'No CDN_… is set: slack run starts a demonstration with a made-up CDN.'
  return JSON.stringify({
    versions: [
      { name: 'CDN Ops', current: version, ...(lacksCdn(environment) && { message }) },
      { name: 'Node', current: node },
      { name: '@slack/bolt', current: dependencies['@slack/bolt'] ?? 'unknown' },
    ],
  })
}
