import { defineConfig } from '@playwright/test';
import { isWhole, LEFT_OUT } from './apps/server/test/how-much.ts';
import { zoneOfMorning } from './apps/web/e2e/zoneOfMorning.ts';
import { findChromium, findHeadlessShell } from './tools/chromium.ts';

// Also read where no browser is yet, to see what it uses: that one is missing is said when the tests begin.
const chromium = findChromium();
const shell = findHeadlessShell() ?? chromium;

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** A page of a test is gone before code that was made quick for it has paid for the making, which took a tenth of the processors. */
const SHORT_LIVED = '--js-flags=--no-opt,--no-maglev';
const launched = (executablePath: string | undefined, ...more: string[]) => ({
  launchOptions: { ...(executablePath && { executablePath }), args: [...args, ...more] },
});

/**
 * What the whole browser plays, as people have it: windows, tabs and history are its own. All else has the same engine without them, which
 * takes a third less; in `npm test` sessions too.
 */
const WHOLE = isWhole ? /\/(?:story|session)\.spec\.ts$/ : /\/story\.spec\.ts$/;
/** Files that wait for draws or have a long test: they begin first, so that no worker is alone with one at the end. */
const LONG = /\/(?:games-story|routes|widths)\.spec\.ts$/;
/** What glows, rolls or is dragged there moves as for whoever did not ask for less; the first of them waits for draws. */
const MOVING = /\/(?:panel|panels-\w+|live-tables|turnover)\.spec\.ts$/;
const IN_MOTION = { contextOptions: { reducedMotion: 'no-preference' } } as const;

/**
 * Lists begin with what is of today, so a run over midnight would find less than it made: the browser tests begin where it is morning, with servers and pages alike. Said once
 * here, workers and servers take it over; another `TZ` is kept.
 */
process.env['TZ'] ??= zoneOfMorning(new Date());

export default defineConfig({
  testDir: 'apps/web/e2e',
  globalSetup: './apps/web/e2e/browser-setup.ts',
  outputDir: 'test-results',
  // Each file has a server and a database of its own, so two of them never meet.
  // With two processors: two of four wait for draws to begin with, and each waits for pages later.
  workers: 4,
  retries: 0,
  forbidOnly: true,
  ...LEFT_OUT,
  // No test measures time: these only end what hangs, also on a machine that is busy with the rest of `npm test`.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  projects: [
    { name: 'whole browser', testMatch: WHOLE, use: { ...launched(chromium), ...IN_MOTION } },
    { name: 'long', testMatch: LONG, use: launched(shell, SHORT_LIVED) },
    { name: 'moving', testMatch: MOVING, use: { ...launched(shell, SHORT_LIVED), ...IN_MOTION } },
    { name: 'short', testIgnore: [WHOLE, LONG, MOVING], use: launched(shell, SHORT_LIVED) },
  ],
  use: {
    // What fades is drawn at each frame and waited for, which tells nothing of what the others test.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 30_000,
    // Filming each page and copying it at each step takes as much of the processors as half of all else: `--trace on` has both.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
  },
});
