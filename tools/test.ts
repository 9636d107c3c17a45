import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runChecks } from './check.ts';
import { ensureChromium } from './chromium.ts';
import { root, runScript, stopTogether } from './run.ts';
import { countPlaywright, countsOf, countVitest } from './test-counts.ts';
import type { Counts } from './test-counts.ts';

const reports = path.join(root, '.cache', 'reports');

/** Everything that is tested, in this order; each runs even when one before it failed. */
const parts: Readonly<Record<string, () => Promise<Counts>>> = {
  checks: async () => ({ ...(await runChecks()), notes: [] }),
  'unit and integration tests': runVitest,
  'browser tests': runPlaywright,
};

async function runVitest(): Promise<Counts> {
  const reportFile = path.join(reports, 'vitest.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const { code } = await runScript('node_modules/vitest/vitest.mjs', args, { show: true });
  return countsOf(reportFile, code, countVitest);
}

async function runPlaywright(): Promise<Counts> {
  const build = await runScript('tools/setup.mjs', ['build'], { show: true });
  if (build.code !== 0) return { passed: 0, failed: 1, notes: ['not run, for the web app does not build'] };
  const reportFile = path.join(reports, 'playwright.json');
  const env = { CHROMIUM_PATH: ensureChromium(), PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile };
  const args = ['test', '--reporter=list,json'];
  const { code } = await runScript('node_modules/@playwright/test/cli.js', args, { show: true, env });
  return countsOf(reportFile, code, countPlaywright);
}

stopTogether();
// A report of an earlier run must not stand in for one that this run failed to write.
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

let passed = 0;
let failed = 0;
const summary: string[] = [];
for (const [name, run] of Object.entries(parts)) {
  console.log(`\n━━ ${name} ━━`);
  const counts = await run().catch((error: Error) => ({ passed: 0, failed: 1, notes: [error.message] }));
  passed += counts.passed;
  failed += counts.failed;
  summary.push([`${name}: ${counts.passed} passed, ${counts.failed} failed`, ...counts.notes].join('; '));
}
console.log(`\n${summary.join('\n')}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
