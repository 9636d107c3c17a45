import { setTimeout } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { runScript } from '../../tools/run.ts';
import { machine, withBenchDatabase } from './fixtures/bench-database.ts';
import { startServed } from './fixtures/bench-server.ts';
import { timePages } from './measure/vitals.ts';
import { betsOf, CHANGES_A_SECOND, GAMES, makePanelField, type PanelField } from './panels/panel-field.ts';

/** A cheap phone on a slow mobile network. */
const PHONE = { width: 390, height: 844, down: 1.6e6, up: 0.75e6, latency: 150, slowed: 4 } as const;
const LIMITS = { lcpMs: 2500, inpMs: 200, cls: 0.02 } as const;
const GAME = GAMES['3D'];
const LIVE_MS = 3_000;

/** Found by CSS: a search by role reads every outcome's style, in the measured thread. */
const DIALOG = '[role=dialog]';

async function useMenu(page: Page): Promise<void> {
  await page.locator('button[aria-label="Open the menu"]').tap();
  await page.locator(DIALOG).waitFor();
  await page.keyboard.press('Escape');
  await page.locator(DIALOG).waitFor({ state: 'detached' });
}

/**
 * `npm run lab -- bench staff`: measures load time, touch latency and layout shift of staff pages on a cheap phone,
 * beside an empty page. The panel is touched while bets change it.
 */
export async function benchStaff(): Promise<void> {
  const { code, output } = await runScript('tools/setup.mjs', ['build']);
  if (code !== 0) throw new Error(`The web app does not build:\n${output}`);
  console.log(machine());
  await withBenchDatabase(4, async (db, url) => {
    // First, so that the server opens no draw that ends while it is measured.
    const field = await makePanelField(db, url);
    const server = await startServed(url);
    try {
      const [token] = await field.adminTokens(1);
      await timePages(server.url, PHONE, pagesOf(field, token!));
    } finally {
      await server.stop();
    }
  });
}

function pagesOf(field: PanelField, token: string) {
  const heading = (page: Page) => page.locator('main h1').waitFor();
  const own = { token, usable: heading, touch: useMenu, limits: LIMITS };
  return {
    'an empty page': { path: '/healthz', usable: async () => undefined, touch: async () => undefined },
    'the dashboard': { ...own, path: '/admin/dashboard' },
    'a list': {
      ...own,
      path: '/admin/user',
      usable: (page: Page) =>
        page
          .getByText(/^player-\d+$/)
          .first()
          .waitFor(),
    },
    'the turnover': { ...own, path: '/admin/turnoverreport' },
    'a live panel': {
      ...own,
      path: `/admin/game/${GAME}/${field.adminId}/bench-admin`,
      usable: (page: Page) => page.locator('[data-drawno]').first().waitFor(),
      touch: (page: Page) => touchLive(page, betsOf(field, GAME)),
    },
    'the landing page': {
      ...own,
      path: '/welcome',
      usable: (page: Page) => page.getByRole('heading', { level: 1 }).waitFor(),
      touch: async (page: Page) => {
        await page.getByRole('button', { name: 'Menu' }).tap();
        await page.getByRole('dialog').waitFor();
        await page.getByRole('button', { name: 'Close' }).tap();
      },
    },
  };
}

async function touchLive(page: Page, bets: () => Promise<void>): Promise<void> {
  let isLive = true;
  const live = (async () => {
    while (isLive) {
      await bets();
      await setTimeout(1000 / CHANGES_A_SECOND);
    }
  })();
  try {
    await useMenu(page);
    // If every outcome is too dear to declare, a disabled one still answers the touch.
    await page.locator('[data-drawno]').first().tap({ force: true });
    await page.waitForTimeout(LIVE_MS);
  } finally {
    isLive = false;
    await live;
  }
}
