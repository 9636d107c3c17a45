import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { chromium } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { ensureChromium } from '../../tools/testing/chromium.ts';
import { connect, signInAll } from '../../tools/demo/client.ts';
import type { Call } from '../../tools/demo/client.ts';
import { runScript } from '../../tools/run.ts';
import { systemClock } from '../../apps/server/src/platform/time/clock.ts';
import type { Database } from '../../apps/server/src/platform/db/database.ts';
import { setDrawInterval } from '../../tools/demo/draw-interval.ts';
import { machine, withBenchDatabase } from './fixtures/bench-database.ts';
import { makeNetwork } from './fixtures/bench-network.ts';
import { judge, shown } from './measure/contest.ts';
import { startServed } from './fixtures/bench-server.ts';
import { openSessions } from './tickets/ticket-field.ts';

/** A cheap phone on a slow network: 9 Mbit/s down, 3 Mbit/s up, 100 ms round trip, a quarter of this CPU. */
const PHONE = {
  width: 360,
  height: 740,
  slowed: 4,
  network: { offline: false, downloadThroughput: 9e6 / 8, uploadThroughput: 3e6 / 8, latency: 100 },
} as const;
/** Time budgets live beside size budgets. */
const BUDGETS = new URL('../../apps/web/e2e/page-budget.json', import.meta.url);
const TIMES = 5;
const TILES = 'funtargetbingo';
const TYPED = 'lottery3d';
const DAY_SECONDS = 86_400;

interface TimedPage {
  readonly path: string;
  readonly isSignedIn: boolean;
  readonly usable: (page: Page) => Promise<void>;
  readonly touch: (page: Page) => Promise<void>;
}

async function useMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Menu' }).tap();
  await page.getByRole('dialog').waitFor();
  await page.getByRole('button', { name: 'Close' }).tap();
}

async function layOne(page: Page): Promise<void> {
  await page.getByRole('grid').getByRole('button').first().tap();
  await page.getByRole('button', { name: /^Place \d/ }).waitFor();
  await useMenu(page);
}

const PAGES: Readonly<Record<string, TimedPage>> = {
  'the landing page': {
    path: '/welcome',
    isSignedIn: false,
    usable: (page) => page.getByText('DusKaDum').waitFor(),
    touch: useMenu,
  },
  'the sign-in of players': {
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
    path: `/play/${TILES}`,
    isSignedIn: true,
    usable: (page) => page.getByRole('grid').waitFor(),
    touch: layOne,
  },
  'a board of typed numbers': {
    path: `/play/${TYPED}`,
    isSignedIn: true,
    usable: async (page) => {
      await page.getByRole('grid').waitFor();
      await page.getByRole('textbox', { name: 'Numbers' }).waitFor();
    },
    touch: layOne,
  },
};

/**
 * `npm run lab -- bench players`: measures load time, touch latency and layout shift of players' pages on a cheap
 * phone.
 */
export async function benchPlayers(): Promise<void> {
  const { code, output } = await runScript('tools/setup.mjs', ['build']);
  if (code !== 0) throw new Error(`The players' client does not build:\n${output}`);
  console.log(machine());
  await withBenchDatabase(4, async (db, url) => {
    const [player] = await makePlayers(db);
    const server = await startServed(url);
    const browser = await chromium.launch({
      executablePath: ensureChromium(),
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    });
    try {
      const { call } = connect(server.url, 4, new AbortController().signal);
      await timeAll(browser, server.url, call, player!.token);
    } finally {
      await browser.close();
      await server.stop();
    }
  });
}

/** Day-long draws never end during a run. */
async function makePlayers(db: Database): Promise<readonly { readonly token: string }[]> {
  const games = [TILES, TYPED];
  const network = await makeNetwork(db, { games, players: 1, credit: 1_000_000_00n, clock: systemClock });
  for (const [place, game] of games.entries()) await setDrawInterval(db, game, DAY_SECONDS - place);
  await network.machine.tick();
  return openSessions(db, network.players);
}

async function timeAll(browser: Browser, url: string, call: Call, token: string): Promise<void> {
  console.log(
    `Chromium ${browser.version()}, ${PHONE.width} px wide, slowed down ${PHONE.slowed} times, 9/3 Mbit/s, 100 ms; the middle of ${TIMES};`,
  );
  console.log(`load of the machine before ${shown(loadavg()[0]!)}`);
  const budgets = JSON.parse(readFileSync(BUDGETS, 'utf8')) as Record<string, { vitals?: Vitals }>;
  const found: Parameters<typeof judge>[0][number][] = [];
  for (const [name, timed] of Object.entries(PAGES)) {
    const all: Vitals[] = [];
    for (let time = 0; time < TIMES; time += 1) all.push(await vitalsOf(browser, url + timed.path, timed, call, token));
    const middle = (of: keyof Vitals) => all.map((each) => each[of]).toSorted((a, b) => a - b)[Math.floor(TIMES / 2)]!;
    const [lcpMs, inpMs, cls] = [middle('lcpMs'), middle('inpMs'), middle('cls')];
    const limits = budgets[name]?.vitals;
    if (!limits) throw new Error(`page-budget.json promises nothing of ${name}: give it "vitals"`);
    found.push(
      { says: `${name}: largest paint`, value: lcpMs, atMost: limits.lcpMs, unit: ' ms' },
      { says: `${name}: answer to a touch`, value: inpMs, atMost: limits.inpMs, unit: ' ms' },
      { says: `${name}: shift`, value: cls, atMost: limits.cls },
    );
  }
  judge(found);
}

interface Vitals {
  readonly lcpMs: number;
  readonly inpMs: number;
  readonly cls: number;
}

/** Installed before the page loads. */
const LISTEN = `(() => {
  window.vitals = { lcpMs: 0, inpMs: 0, cls: 0 };
  const hear = (type, take, more) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
  hear('largest-contentful-paint', ({ startTime }) => (vitals.lcpMs = startTime));
  const keepSlowest = ({ duration, interactionId }) => interactionId && (vitals.inpMs = Math.max(vitals.inpMs, duration));
  hear('event', keepSlowest, { durationThreshold: 16 });
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
      // The cookie selects the signed-in start page.
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
    // Browsers report largest paint only until the first touch.
    const { lcpMs } = await page.evaluate<Vitals>('vitals');
    await timed.touch(page);
    await page.waitForLoadState('networkidle');
    return { ...(await page.evaluate<Vitals>('vitals')), lcpMs };
  } finally {
    await context.close();
  }
}
