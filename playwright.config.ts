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
const LONG = /\/(?:games-story|panel|routes)\.spec\.ts$/;

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
    { name: 'whole browser', testMatch: WHOLE, use: launched(chromium) },
    { name: 'long', testMatch: LONG, use: launched(shell) },
    { name: 'short', testIgnore: [WHOLE, LONG], use: launched(shell) },
  ],
  use: {
    actionTimeout: 30_000,
    // Filming each page and copying it at each step takes as much of the processors as half of all else: `--trace on` has both.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
  },
});
