/**
 * `npm test`: everything that is tested. `npm test -- --changed`: the checks, and of the tests those that are near to what is not
 * committed yet, or `--changed=main` to what is not in `main`.
 */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { keepTimes, nearTests } from './changed-tests.ts';
import { runChecks } from './check.ts';
import { ensureChromium } from './chromium.ts';
import { root, runScript, stopTogether } from './run.ts';
import { countPlaywright, countsOf, countVitest, failedWith } from './test-counts.ts';
import type { Counts } from './test-counts.ts';

const reports = path.join(root, '.cache', 'reports');
/** Of what one failed test says, so many lines are shown at the end. */
const LINES_OF_A_FAILURE = 40;

/** A part of the tests, under the name that its lines and its counts have. */
type Part = readonly [name: string, counts: Promise<Counts>];

/** Shows a line of a part that runs beside others. */
const sayer = (name: string) => (line: string) => console.log(`${name.padEnd(7)} │ ${line}`);

async function runVitest(files: readonly string[] = []): Promise<Counts> {
  const reportFile = path.join(reports, 'vitest.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`, ...files];
  const { code } = await runScript('node_modules/vitest/vitest.mjs', args, { say: sayer('tests') });
  const counts = countsOf(reportFile, code, countVitest);
  keepTimes(reportFile);
  return counts;
}

async function runBrowser(built: Promise<boolean>, files: readonly string[] = []): Promise<Counts> {
  if (!(await built)) return failedWith('not run, for the web app does not build');
  const reportFile = path.join(reports, 'playwright.json');
  ensureChromium();
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile };
  const args = ['test', '--reporter=list,json', ...files];
  const { code } = await runScript('node_modules/@playwright/test/cli.js', args, { say: sayer('browser'), env });
  return countsOf(reportFile, code, countPlaywright);
}

async function buildWeb(): Promise<boolean> {
  const { code } = await runScript('tools/setup.mjs', ['build'], { say: sayer('build') });
  return code === 0;
}

/** All of it. The servers of the tests serve the web app, so it is built before any of them starts; the rest runs side by side. */
function everything(): Part[] {
  const built = buildWeb();
  return [
    ['checks', runChecks()],
    ['unit and integration tests', built.then(() => runVitest())],
    ['browser tests', runBrowser(built)],
  ];
}

/** What is near to the changes; of the browser tests those that were themselves changed. */
function near(since: string): Part[] {
  const { tests, specs, leftOut } = nearTests(since);
  const counted = `${tests.length} files of tests near to what has changed since ${since}`;
  console.log(`${counted}; ${leftOut} that it reaches from further away, and the browser tests, are left to npm test.`);
  return [
    ['checks', runChecks()],
    ...(tests.length > 0 ? [['unit and integration tests', runVitest(tests)] as const] : []),
    ...(specs.length > 0 ? [['browser tests', runBrowser(buildWeb(), specs)] as const] : []),
  ];
}

/** What was asked for: `undefined` for everything, else the commit since which changes count. */
function changedSince(args: readonly string[]): string | undefined {
  const given = args.map((arg) => (arg === '--changed' ? '--changed=HEAD' : arg));
  return parseArgs({ args: given, options: { changed: { type: 'string' } } }).values.changed;
}

stopTogether();
const since = changedSince(process.argv.slice(2));
// A report of an earlier run must not stand in for one that this run failed to write.
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const startedAt = performance.now();
const parts = since === undefined ? everything() : near(since);
const done = await Promise.all(
  parts.map(async ([name, counts]) => ({
    name,
    counts: await counts.catch((error: Error) => failedWith(error.message)),
  })),
);
for (const { name, counts } of done) {
  for (const { name: what, message } of counts.failures) {
    const lines = message.split('\n').slice(0, LINES_OF_A_FAILURE);
    console.log(`\n━━ failed in the ${name}: ${path.relative(root, path.resolve(root, what))}\n${lines.join('\n')}`);
  }
}
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
console.log(`\n${minutes} minutes`);
for (const { name, counts } of done)
  console.log([`${name}: ${counts.passed} passed, ${counts.failed} failed`, ...counts.notes].join('; '));
const sum = (of: 'passed' | 'failed'): number => done.reduce((total, { counts }) => total + counts[of], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
