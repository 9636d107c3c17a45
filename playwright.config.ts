import { defineConfig } from '@playwright/test';
import { isWhole } from './apps/server/test/how-much.ts';
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

/** The longest file of `npm test`: it begins first, so that no worker is alone with it at the end. */
const STORY = /\/story\.spec\.ts$/;
/**
 * Windows, tabs and history belong to the whole browser, which plays these files in the long tier. All others have the same engine without them, at
 * two thirds of the processor time.
 */
const TABS = /\/(?:story|session|session\.long)\.spec\.ts$/;
/** Files of `npm run test:long` alone. */
const LONG = /\.long\.spec\.ts$/;

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
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // No test measures time: these only end what hangs, also on a machine that is busy with the rest of `npm test`.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  projects: isWhole
    ? [
        {
          name: 'whole browser',
          testMatch: TABS,
          use: { ...launched(chromium), contextOptions: { reducedMotion: 'no-preference' } },
        },
        { name: 'others', testIgnore: TABS, use: launched(shell, SHORT_LIVED) },
      ]
    : [
        { name: 'story', testMatch: STORY, use: launched(shell, SHORT_LIVED) },
        { name: 'others', testIgnore: [STORY, LONG], use: launched(shell, SHORT_LIVED) },
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
