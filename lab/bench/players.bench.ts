import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { runScript } from '../../tools/run.ts';
import { systemClock } from '../../apps/server/src/platform/time/clock.ts';
import type { Database } from '../../apps/server/src/platform/db/database.ts';
import { setDrawInterval } from '../../tools/demo/plan.ts';
import { machine, withBenchDatabase } from './fixtures/bench-database.ts';
import { makeNetwork } from './fixtures/bench-network.ts';
import { timePages, type TimedPage, type Vitals } from './measure/vitals.ts';
import { startServed } from './fixtures/bench-server.ts';
import { openSessions } from './tickets/ticket-field.ts';

const PHONE = { width: 360, height: 740, down: 9e6, up: 3e6, latency: 100, slowed: 4 } as const;
const BUDGETS = new URL('../../apps/web/e2e/page-budget.json', import.meta.url);
const TILES = 'funtargetbingo';
const TYPED = 'lottery3d';
const DAY_SECONDS = 86_400;
/** Games played for a whole draw, by their intervals in seconds. */
const PLAYED = { titlisorrat: 40, roulette: 41, triplefun: 42 } as const;
/** At least 15 seconds: enough to bet on a slow phone. */
const ENOUGH_LEFT = /Betting closes in\s*(?:[1-9]\d*:\d\d|0:(?:1[5-9]|[2-5]\d))/;
const WHILE_PLAYING = { lcpMs: 2500, inpMs: 200, cls: 0.02 } as const;

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

const PAGES: Readonly<Record<string, Omit<TimedPage, 'token'> & { readonly isSignedIn: boolean }>> = {
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
    usable: (page) => page.getByText('Closes in').first().waitFor(),
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

async function playDraw(page: Page): Promise<void> {
  const draw = page.getByRole('region', { name: 'The draw' });
  await draw.filter({ hasText: ENOUGH_LEFT }).waitFor({ timeout: 120_000 });
  const place = page.getByRole('button', { name: /^Place \d/ });
  const cells = page.getByRole('grid').getByRole('button');
  for (const cell of [0, 1, 2, 1]) await cells.nth(cell).tap();
  await page.locator('label', { hasText: '5.00 points' }).tap();
  await cells.nth(3).tap();
  await place.tap();
  await page.getByText('Placed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'OK', exact: true }).tap();
  await draw.getByText('Last draw:').waitFor({ timeout: 120_000 });
  const moment = page.getByRole('button', { name: 'Close the result' });
  await moment.tap();
  await moment.waitFor({ state: 'detached' });
  await cells.nth(0).tap();
  await place.waitFor();
}

/**
 * `npm run lab -- bench players`: measures load time, touch latency and layout shift of players' pages on a cheap
 * phone, also while a draw is played.
 */
export async function benchPlayers(): Promise<void> {
  const { code, output } = await runScript('tools/setup.mjs', ['build']);
  if (code !== 0) throw new Error(`The players' client does not build:\n${output}`);
  console.log(machine());
  await withBenchDatabase(4, async (db, url) => {
    const [player] = await makePlayers(db);
    const server = await startServed(url);
    const budgets = JSON.parse(readFileSync(BUDGETS, 'utf8')) as Record<string, { vitals?: Vitals }>;
    const pages = Object.entries(PAGES).map(([name, { isSignedIn, ...page }]) => {
      const limits = budgets[name]?.vitals;
      if (!limits) throw new Error(`page-budget.json promises nothing of ${name}: give it "vitals"`);
      return [name, { ...page, limits, ...(isSignedIn && { token: player!.token }) }] as const;
    });
    const played = Object.keys(PLAYED).map((game) => {
      const usable = (page: Page) => page.getByRole('grid').waitFor();
      const timed = {
        path: `/play/${game}`,
        token: player!.token,
        usable,
        touch: playDraw,
        times: 1,
        limits: WHILE_PLAYING,
      };
      return [`a draw of ${game}`, timed] as const;
    });
    try {
      await timePages(server.url, PHONE, Object.fromEntries([...pages, ...played]));
    } finally {
      await server.stop();
    }
  });
}

/** Only draws of played games end during a run. */
async function makePlayers(db: Database): Promise<readonly { readonly token: string }[]> {
  const games = [TILES, TYPED, ...Object.keys(PLAYED)];
  const network = await makeNetwork(db, { games, players: 1, credit: 1_000_000_00n, clock: systemClock });
  for (const [place, game] of [TILES, TYPED].entries()) await setDrawInterval(db, game, DAY_SECONDS - place);
  for (const [game, seconds] of Object.entries(PLAYED)) await setDrawInterval(db, game, seconds);
  await network.machine.tick();
  return openSessions(db, network.players);
}
