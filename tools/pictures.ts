/**
 * `npm run pictures`: retakes the manual's pictures on the demo's networks after a week of play. Clock and randomness
 * are fixed.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loadGame } from '@drawhouse/contract/live/live';
import { chromium, type Browser, type Page } from '@playwright/test';
import sharp from 'sharp';
import type { App } from '../apps/server/src/compose/app.ts';
import type { Clock } from '../apps/server/src/platform/time/clock.ts';
import { withBenchApp } from '../lab/bench/fixtures/bench-app.ts';
import { withBenchDatabase } from '../lab/bench/fixtures/bench-database.ts';
import { ensureChromium } from './testing/chromium.ts';
import type { Member } from './demo/demo-network.ts';
import { connect, signedIn, signInAll, type Call } from './demo/client.ts';
import { DEMO_GAMES, DEMO_PASSWORD } from './demo/plan.ts';
import { makeChanceRepeatable, clockAWeekBefore, playAWeek } from './pictures/week-of-play.ts';
import { root } from './run.ts';

const FOLDER = join(root, 'docs/manual/pictures');
const VIEW = { width: 1280, height: 800 };
/** Fewer than the shades in letter edges. */
const COLOURS = 128;
/** Out of 255. Color rounding stays below. */
const ROUNDED_MOST = 64;

interface Shot {
  readonly name: string;
  readonly of: Member;
  readonly path: string;
  readonly prepare: (page: Page) => Promise<void>;
  readonly view?: Partial<typeof VIEW>;
}

async function main(): Promise<void> {
  const chance = makeChanceRepeatable('pictures');
  const clock = clockAWeekBefore();
  await withBenchDatabase(10, (db, databaseUrl) =>
    withBenchApp(
      db,
      async (app) => {
        const { url, call } = await listen(app, clock);
        const { players } = await playAWeek(app, clock, call, chance);
        const shots = await shotsOf([...players.values()][0]!);
        const browser = await chromium.launch({
          executablePath: ensureChromium(),
          args: ['--no-sandbox', '--disable-gpu'],
        });
        try {
          await mkdir(FOLDER, { recursive: true });
          for (const shot of shots) await take(browser, url, call, clock.now(), shot);
        } finally {
          await browser.close();
        }
      },
      { clock, timeZone: 'UTC', url: databaseUrl },
    ),
  );
}

/** Serves calls one at a time, for a fixed order. */
async function listen(app: App, clock: Clock): Promise<{ url: string; call: Call }> {
  // Pages read the clock offset from this header.
  app.http.addHook('onSend', async (_request, reply) => void reply.header('date', clock.now().toUTCString()));
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  await app.bootstrap(DEMO_PASSWORD);
  const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  return { url, call: connect(url, 1, new AbortController().signal).call };
}

async function shotsOf(player: Member): Promise<Shot[]> {
  const [retailer, distributor] = [player.above!, player.above!.above!];
  const admin = distributor.above!.above!;
  const superadmin = admin.above!;
  const [gameId] = DEMO_GAMES;
  const { lastData } = await admin.call(loadGame, { query: { gameId, adminId: admin.id } });
  const generated = lastData.data.find(({ source }) => source === 'generated')!;
  const heading =
    (name: string) =>
    (page: Page): Promise<void> =>
      page.getByRole('heading', { name, level: 1 }).waitFor();
  return [
    {
      name: 'panel',
      of: admin,
      path: `/admin/game/${gameId}/${admin.id}/${admin.username}`,
      prepare: async (page) => {
        await page.locator('[data-drawno="7"]').click();
        await page.getByText('Next draw').waitFor();
      },
      view: { width: 1440, height: 900 },
    },
    { name: 'tables', of: superadmin, path: '/superadmin/game', prepare: heading('All tables') },
    { name: 'turnover', of: admin, path: '/admin/turnoverreport?period=4', prepare: heading('Turnover Report') },
    {
      name: 'credit-transfer',
      of: distributor,
      path: `/distributor/retailer/credittransfer/${retailer.id}`,
      prepare: async (page) => {
        await page.getByRole('textbox', { name: 'Amount' }).fill('500');
        await page.getByRole('textbox', { name: 'Note' }).fill('For the weekend');
      },
      view: { height: 640 },
    },
    { name: 'dashboard', of: superadmin, path: '/superadmin/dashboard', prepare: heading('Dashboard') },
    {
      name: 'board',
      of: player,
      path: '/play/europeanroulette',
      prepare: async (page) => {
        const cells = page.getByRole('grid').getByRole('button');
        for (const nth of [8, 18, 18, 30]) await cells.nth(nth).click();
        await page.getByRole('button', { name: /^Place/ }).waitFor();
      },
    },
    { name: 'fair', of: player, path: `/fair/${generated.drawId}`, prepare: heading('Draw') },
  ];
}

async function take(browser: Browser, url: string, call: Call, now: Date, shot: Shot): Promise<void> {
  const viewport = { ...VIEW, ...shot.view };
  const context = await browser.newContext({
    viewport,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
    locale: 'en-US',
  });
  await context.clock.setFixedTime(now);
  await signInAll(context, call, await signedIn(call, { username: shot.of.username, password: DEMO_PASSWORD }).token());
  const page = await context.newPage();
  await page.goto(`${url}${shot.path}`);
  await shot.prepare(page);
  await page.waitForLoadState('networkidle');
  const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  await context.close();
  const file = join(FOLDER, `${shot.name}.png`);
  if (await isSimilar(file, taken)) return console.log(`${shot.name}.png  is unchanged`);
  const small = await sharp(taken).png({ palette: true, colours: COLOURS, dither: 0, effort: 10 }).toBuffer();
  await writeFile(file, small);
  console.log(`${shot.name}.png  ${Math.ceil(small.length / 1024)} KB`);
}

/** True if only color rounding differs; the old file then stays. */
async function isSimilar(file: string, taken: Buffer): Promise<boolean> {
  if (!existsSync(file)) return false;
  // Reads buffers: the server disables sharp's file access.
  const [before, now] = await Promise.all(
    [await readFile(file), taken].map((image) => sharp(image).removeAlpha().raw().toBuffer()),
  );
  return before!.length === now!.length && before!.every((value, at) => Math.abs(value - now![at]!) <= ROUNDED_MOST);
}

await main();
