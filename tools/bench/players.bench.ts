import { loadavg } from 'node:os';
import { chromium } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { ensureChromium } from '../chromium.ts';
import { connect } from '../demo/client.ts';
import type { Call } from '../demo/client.ts';
import { runScript } from '../run.ts';
import { signInAll } from '../signed-in.ts';
import { machine, withBenchDatabase } from './bench-database.ts';
import { judge, shown } from './contest.ts';
import { makePanelField } from './panels/panel-field.ts';
import { startServed } from './tickets/served.ts';

/** A cheap phone on a slow network: 9 Mbit/s down, 3 up, 100 ms there and back, and a processor a fourth as quick as this one. */
const PHONE = {
  width: 360,
  height: 740,
  slowed: 4,
  network: { offline: false, downloadThroughput: 9e6 / 8, uploadThroughput: 3e6 / 8, latency: 100 },
} as const;
/** What Google calls good: the largest part painted, the slowest answer to a touch, and how far things jump. */
const LIMITS = { lcpMs: 2500, inpMs: 200, cls: 0.1 } as const;
/** Each page is opened so many times, by a browser that knows nothing of it; the middle one counts. */
const TIMES = 5;
const BOARD = 'lottery3d';

/** One page: where it is, what says that it can be used, and what is touched there. */
interface TimedPage {
  readonly path: string;
  readonly isSignedIn: boolean;
  readonly usable: (page: Page) => Promise<void>;
  readonly touch: (page: Page) => Promise<void>;
}

/** Opens the menu and leaves it: every page has one. */
async function useMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).tap();
  await page.getByRole('dialog').waitFor();
  await page.getByRole('button', { name: 'Close' }).tap();
}

const PAGES: Readonly<Record<string, TimedPage>> = {
  'the landing page': {
    path: '/welcome',
    isSignedIn: false,
    usable: (page) => page.getByText('DusKaDum').waitFor(),
    touch: useMenu,
  },
  'the sign-in': {
    path: '/sign-in',
    isSignedIn: false,
    usable: (page) => page.getByRole('button', { name: 'Login' }).waitFor(),
    touch: async (page) => {
      await page.getByRole('button', { name: 'Login' }).tap();
      await page.getByText('Username is required').waitFor();
    },
  },
  'the lobby': {
    path: '/',
    isSignedIn: true,
    usable: (page) => page.getByText('Betting closes in').first().waitFor(),
    touch: useMenu,
  },
  'a board': {
    path: `/play/${BOARD}`,
    isSignedIn: true,
    usable: (page) => page.getByRole('main').getByRole('heading', { level: 1 }).waitFor(),
    touch: useMenu,
  },
};

/** `npm run bench players`: how soon the players' pages are there on a cheap phone, how quick they answer a touch, and how still they stand. */
export async function benchPlayers(): Promise<void> {
  const { code, output } = await runScript('tools/setup.mjs', ['build']);
  if (code !== 0) throw new Error(`The players' client does not build:\n${output}`);
  console.log(machine());
  await withBenchDatabase(4, async (db, url) => {
    const { players } = await makePanelField(db, url);
    const server = await startServed(url);
    const browser = await chromium.launch({
      executablePath: ensureChromium(),
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    });
    try {
      const { call } = connect(server.url, 4, new AbortController().signal);
      await timeAll(browser, server.url, call, (players as readonly { readonly token: string }[])[0]!.token);
    } finally {
      await browser.close();
      await server.stop();
    }
  });
}

async function timeAll(browser: Browser, url: string, call: Call, token: string): Promise<void> {
  console.log(
    `Chromium ${browser.version()}, ${PHONE.width} px wide, slowed down ${PHONE.slowed} times, 9/3 Mbit/s, 100 ms; the middle of ${TIMES};`,
  );
  console.log(`load of the machine before ${shown(loadavg()[0]!)}`);
  const found: Parameters<typeof judge>[0][number][] = [];
  for (const [name, timed] of Object.entries(PAGES)) {
    const all: Vitals[] = [];
    for (let time = 0; time < TIMES; time += 1) all.push(await vitalsOf(browser, url + timed.path, timed, call, token));
    const middle = (of: keyof Vitals) => all.map((each) => each[of]).toSorted((a, b) => a - b)[Math.floor(TIMES / 2)]!;
    const [lcpMs, inpMs, cls] = [middle('lcpMs'), middle('inpMs'), middle('cls')];
    found.push(
      { says: `${name}: largest paint`, value: lcpMs, atMost: LIMITS.lcpMs, unit: ' ms' },
      { says: `${name}: answer to a touch`, value: inpMs, atMost: LIMITS.inpMs, unit: ' ms' },
      { says: `${name}: shift`, value: cls, atMost: LIMITS.cls },
    );
  }
  judge(found);
}

/** What a browser measured of a page. */
interface Vitals {
  readonly lcpMs: number;
  readonly inpMs: number;
  readonly cls: number;
}

/** Listens to what the browser measures, from before the page is there. */
const LISTEN = `(() => {
  window.vitals = { lcpMs: 0, inpMs: 0, cls: 0 };
  const hear = (type, take, more) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
  hear('largest-contentful-paint', ({ startTime }) => (vitals.lcpMs = startTime));
  hear('event', ({ duration, interactionId }) => interactionId && (vitals.inpMs = Math.max(vitals.inpMs, duration)), { durationThreshold: 16 });
  hear('layout-shift', ({ value, hadRecentInput }) => hadRecentInput || (vitals.cls += value));
})()`;

async function vitalsOf(
  browser: Browser,
  address: string,
  timed: TimedPage,
  call: Call,
  token: string,
): Promise<Vitals> {
  const { width, height, slowed, network } = PHONE;
  const context = await browser.newContext({ viewport: { width, height }, hasTouch: true, isMobile: true });
  try {
    if (timed.isSignedIn) {
      await signInAll(context, call, token);
      // By it the server knows whose start to send.
      await context.addCookies([{ name: 'session-token', value: token, url: address }]);
    }
    await context.addInitScript(LISTEN);
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send('Network.emulateNetworkConditions', network);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowed });
    await page.goto(address);
    await timed.usable(page);
    await page.waitForLoadState('networkidle');
    // The largest paint is told until the first touch.
    const { lcpMs } = await page.evaluate<Vitals>('vitals');
    await timed.touch(page);
    await page.waitForLoadState('networkidle');
    return { ...(await page.evaluate<Vitals>('vitals')), lcpMs };
  } finally {
    await context.close();
  }
}
