import { defineConfig } from '@playwright/test';
import { isWhole } from './apps/server/test/test-tier.ts';
import { zoneOfMorning } from './apps/web/e2e/zoneOfMorning.ts';
import { findChromium, findHeadlessShell } from './tools/testing/chromium.ts';

// Also runs without a browser; a missing one is reported when tests start.
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
/** Test pages are too short-lived to repay optimized code, which took a tenth of the CPU. */
const SHORT_LIVED = '--js-flags=--no-opt,--no-maglev';
const launched = (executablePath: string | undefined, ...more: string[]) => ({
  launchOptions: { ...(executablePath && { executablePath }), args: [...args, ...more] },
});

/** Starts first, so the longest file does not run alone at the end. */
const STORY = /\/story\.spec\.ts$/;
/** Only a full browser has windows, tabs and history. The headless shell plays the rest at two thirds of the CPU. */
const TABS = /\/(?:story|session|session\.long)\.spec\.ts$/;
const LONG = /\.long\.spec\.ts$/;

/**
 * Lists start with today, so a run over midnight would miss rows. Workers and servers inherit a zone where it is
 * morning.
 */
process.env['TZ'] ??= zoneOfMorning(new Date());

export default defineConfig({
  testDir: 'apps/web/e2e',
  globalSetup: './apps/web/e2e/browser-setup.ts',
  outputDir: 'test-results',
  // Each file has its own server and database.
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // Only for hanging tests.
  timeout: 600_000,
  expect: { timeout: 60_000 },
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
    // Fades cost frames.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 60_000,
    // Filming costs half as much CPU as everything else.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
  },
});
