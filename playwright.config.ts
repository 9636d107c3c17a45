import { defineConfig } from '@playwright/test';
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
const launched = (executablePath: string | undefined) => ({
  launchOptions: { ...(executablePath && { executablePath }), args },
});

/** What the whole browser plays, as people have it: windows, tabs and history are its own. All else has the same engine without them, which takes a third less. */
const WHOLE = /\/(?:story|session)\.spec\.ts$/;
/** Files that wait for draws or are long: they begin first, so that no worker is alone with one at the end. */
const LONG = /\/(?:games-story|routes)\.spec\.ts$/;
/** What glows, rolls or is dragged there moves as for whoever did not ask for less; the first of them waits for draws. */
const MOVING = /\/(?:panel|panels-\w+|live-tables|turnover)\.spec\.ts$/;
const IN_MOTION = { contextOptions: { reducedMotion: 'no-preference' } } as const;

export default defineConfig({
  testDir: 'apps/web/e2e',
  globalSetup: './apps/web/e2e/browser-setup.ts',
  outputDir: 'test-results',
  // Each file has a server and a database of its own, so two of them never meet.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // No test measures time: these only end what hangs, also on a machine that is busy with the rest of `npm test`.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  projects: [
    { name: 'whole browser', testMatch: WHOLE, use: { ...launched(chromium), ...IN_MOTION } },
    { name: 'long', testMatch: LONG, use: launched(shell) },
    { name: 'moving', testMatch: MOVING, use: { ...launched(shell), ...IN_MOTION } },
    { name: 'short', testIgnore: [WHOLE, LONG, MOVING], use: launched(shell) },
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
