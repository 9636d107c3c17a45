/**
 * `npm test`: everything that is tested, of what is long a short piece. `npm run test:long`: all of that whole. `npm test -- --changed`: the
 * checks, and of the tests those that are near to what is not committed yet, or `--changed=main` to what is not in `main`.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { nearTests } from './changed-tests.ts';
import { runChecks } from './check.ts';
import { ensureChromium } from './chromium.ts';
import { root, runScript, stopTogether } from './run.ts';
import { countPlaywright, countsOf, countVitest, failedWith } from './test-counts.ts';
import type { Counts } from './test-counts.ts';
import { keepTimes, readTimes, slowest, timesOfPlaywright, timesOfVitest } from './test-times.ts';
import type { Times } from './test-times.ts';
import { ensureTransferServers } from './transfer-servers.ts';

const reports = path.join(root, '.cache', 'reports');
/** Of what one failed test says, so many lines are shown at the end. */
const LINES_OF_A_FAILURE = 40;

/** A part of the tests, under the name that its lines and its counts have. */
type Part = readonly [name: string, counts: Promise<Counts>];

/** Shows a line of a part that runs beside others. */
const sayer = (name: string) => (line: string) => console.log(`${name.padEnd(7)} │ ${line}`);

async function runVitest(files: readonly string[] = []): Promise<Counts> {
  ensureTransferServers({ long });
  const reportFile = path.join(reports, 'vitest.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`, ...files];
  const { code } = await runScript('node_modules/vitest/vitest.mjs', args, { say: sayer('tests'), env: size });
  noteTimes(reportFile, timesOfVitest);
  return countsOf(reportFile, code, countVitest);
}

async function runBrowser(built: Promise<boolean>, files: readonly string[] = []): Promise<Counts> {
  if (!(await built)) return failedWith('not run, for the web app does not build');
  const reportFile = path.join(reports, 'playwright.json');
  ensureChromium();
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile, ...size };
  const args = ['test', '--reporter=list,json', ...files];
  const { code } = await runScript('node_modules/@playwright/test/cli.js', args, { say: sayer('browser'), env });
  noteTimes(reportFile, timesOfPlaywright);
  return countsOf(reportFile, code, countPlaywright);
}

/** Has the times of the files of a report among those of this run. */
function noteTimes(reportFile: string, timesOf: (report: never) => Times): void {
  if (existsSync(reportFile)) Object.assign(times, timesOf(JSON.parse(readFileSync(reportFile, 'utf8')) as never));
}

async function buildWeb(): Promise<boolean> {
  const { code } = await runScript('tools/setup.mjs', ['build'], { say: sayer('build') });
  return code === 0;
}

/**
 * All of it, one part after the other: each has the processors to itself, and what waits for a page waits for no other test. The servers of
 * the tests serve the web app, so it is built before any of them starts.
 */
function everything(): Part[] {
  const built = buildWeb();
  const checks = runChecks();
  const tests = Promise.all([built, checks]).then(() => runVitest());
  const browser = tests.then(() => runBrowser(built));
  return [
    ['checks', checks],
    ['unit and integration tests', tests],
    ['browser tests', browser],
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

/** What was asked for: since which commit changes count, where it is not everything, and whether what is long is run whole. */
function readArgs(args: readonly string[]): { changed?: string; long?: boolean } {
  const given = args.map((arg) => (arg === '--changed' ? '--changed=HEAD' : arg));
  return parseArgs({ args: given, options: { changed: { type: 'string' }, long: { type: 'boolean' } } }).values;
}

stopTogether();
const { changed: since, long = false } = readArgs(process.argv.slice(2));
/** How much of what is long the runners take (`apps/server/test/how-much.ts`). */
const size = long ? { TEST_LONG: '1' } : undefined;
const times: Record<string, number> = {};
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
console.log(`\nThe files that took longest:\n${slowest(times, readTimes()).join('\n')}`);
keepTimes(times);
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
console.log(`\n${minutes} minutes`);
for (const { name, counts } of done)
  console.log([`${name}: ${counts.passed} passed, ${counts.failed} failed`, ...counts.notes].join('; '));
const sum = (of: 'passed' | 'failed'): number => done.reduce((total, { counts }) => total + counts[of], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
