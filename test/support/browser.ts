import { type Browser, chromium } from 'playwright-core'

/** Debian's; another one can be named for machines where it lies elsewhere. */
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const LAUNCH_TIMEOUT_MS = 30_000
/**
 * Parts of Chromium that are left out. It takes the last of such lists only, so most of this one are Playwright's, which
 * keep the browser from calling anybody and from changing how it loads and paints.
 */
const LEFT_OUT = [
  // The list below the address bar: two pages made anew for each window, at a second of work on a core.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]
/** No sandbox because tests run as root in containers; the rest keeps the browser from calling anybody. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${LEFT_OUT.join(',')}`,
]

/** Starts Chromium without a window and with a profile of its own, which goes when it is closed. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS, timeout: LAUNCH_TIMEOUT_MS })
}
