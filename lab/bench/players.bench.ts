import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { runScript } from '../../tools/run.ts';
import { systemClock } from '../../apps/server/src/platform/time/clock.ts';
import type { Database } from '../../apps/server/src/platform/db/database.ts';
import { setDrawInterval } from '../../tools/demo/draw-interval.ts';
import { machine, withBenchDatabase } from './fixtures/bench-database.ts';
import { makeNetwork } from './fixtures/bench-network.ts';
import { timePages } from './measure/vitals.ts';
import type { TimedPage, Vitals } from './measure/vitals.ts';
import { startServed } from './fixtures/bench-server.ts';
import { openSessions } from './tickets/ticket-field.ts';

/** A cheap phone on a slow network. */
const PHONE = { width: 360, height: 740, down: 9e6, up: 3e6, latency: 100, slowed: 4 } as const;
/** Time and size budgets share one file. */
const BUDGETS = new URL('../../apps/web/e2e/page-budget.json', import.meta.url);
const TILES = 'funtargetbingo';
const TYPED = 'lottery3d';
const DAY_SECONDS = 86_400;

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
    const budgets = JSON.parse(readFileSync(BUDGETS, 'utf8')) as Record<string, { vitals?: Vitals }>;
    const pages = Object.entries(PAGES).map(([name, { isSignedIn, ...page }]) => {
      const limits = budgets[name]?.vitals;
      if (!limits) throw new Error(`page-budget.json promises nothing of ${name}: give it "vitals"`);
      return [name, { ...page, limits, ...(isSignedIn && { token: player!.token }) }] as const;
    });
    try {
      await timePages(server.url, PHONE, Object.fromEntries(pages));
    } finally {
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
