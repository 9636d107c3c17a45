/**
 * `npm test` runs checks and the short tier; `npm run test:long` both tiers. `-- --changed[=REVISION]` runs only
 * affected tests.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runChecks } from './check.ts';
import { FILE_TIMES } from './testing/file-times.ts';
import { root, runScript, stopTogether } from './run.ts';
import { describeSlowest, findSlowFiles, MachinePace } from './testing/slow-files.ts';
import { emptyPart, failedPart, readPlaywright, readVitest, type PartResult } from './testing/test-reports.ts';

const reports = path.join(root, '.cache', 'reports');
const LINES_PER_FAILURE = 40;

const { changed, long } = readArgs(process.argv.slice(2));
const sample = process.env['TEST_SAMPLE'] ?? sampleOfCommit();
/** Read by `apps/server/test/test-tier.ts` under both runners. */
const env = { TEST_SAMPLE: sample, ...(long && { TEST_LONG: '1' }) };

function readArgs(args: readonly string[]): { changed?: string; long: boolean } {
  const normalizedArgs = args.map((arg) => (arg === '--changed' ? '--changed=HEAD' : arg));
  const { values } = parseArgs({
    args: normalizedArgs,
    options: { changed: { type: 'string' }, long: { type: 'boolean', default: false } },
  });
  return values;
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Returns 0 to 59, which most shares divide; 0 without git. */
function sampleOfCommit(): string {
  try {
    return String(Number.parseInt(git('rev-parse', 'HEAD').slice(0, 8), 16) % 60);
  } catch {
    return '0';
  }
}

const printer = (part: string) => (line: string) => console.log(`${part.padEnd(7)} │ ${line}`);

async function build(): Promise<boolean> {
  const { code } = await runScript('tools/setup.mjs', ['build'], { say: printer('build') });
  return code === 0;
}

/** Runs in a separate process, because installation blocks. */
async function installPrograms(script: string): Promise<boolean> {
  const { code } = await runScript(script, [], { say: printer('install'), env });
  return code === 0;
}

async function runVitest(): Promise<PartResult> {
  const report = path.join(reports, 'vitest.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  args.push(
    '--reporter=./tools/testing/file-times.ts',
    ...(changed === undefined ? [] : [`--changed=${changed}`, '--passWithNoTests']),
  );
  const { code } = await runScript('node_modules/vitest/vitest.mjs', args, { say: printer('tests'), env });
  return readVitest(report, FILE_TIMES, { code, mayBeEmpty: changed !== undefined });
}

async function runPlaywright(isBuilt: boolean): Promise<PartResult> {
  const specs = changed === undefined ? [] : changedSpecs(changed);
  if (changed !== undefined && specs.length === 0) return { ...emptyPart, notes: ['no file of them changed'] };
  if (!isBuilt) return failedPart('not run: the apps do not build');
  if (!(await installPrograms('tools/testing/chromium.ts')))
    return failedPart('not run: the browser or a font is missing');
  const report = path.join(reports, 'playwright.json');
  const { code } = await runScript('node_modules/@playwright/test/cli.js', ['test', '--reporter=list,json', ...specs], {
    say: printer('browser'),
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...env },
  });
  return readPlaywright(report, { code });
}

function changedSpecs(since: string): string[] {
  const specs = ['--', '*.spec.ts', ...(long ? [] : [':(exclude)*.long.spec.ts'])];
  const names = [
    git('diff', '--name-only', '--diff-filter=d', '-z', since, ...specs),
    git('ls-files', '--others', '--exclude-standard', '-z', ...specs),
  ];
  return names.join('').split('\0').filter(Boolean);
}

/**
 * Runners wait for the build that test servers serve. In the long tier, browser tests also wait for Vitest; otherwise
 * they time out.
 */
function startParts(): readonly (readonly [name: string, result: Promise<PartResult>])[] {
  const built = build();
  const checks = runChecks();
  // Package managers lock their database.
  const installed = installPrograms('tools/testing/transfer-servers.ts');
  const tests = Promise.all([built, installed]).then(runVitest);
  const browser = Promise.all([built, long ? tests : installed]).then(([isBuilt]) => runPlaywright(isBuilt));
  return [
    ['checks', checks],
    ['unit and database tests', tests],
    ['browser tests', browser],
  ];
}

stopTogether();
// So a missing new report is noticed.
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
if (!long) console.log(`Sample ${sample} of the combinations. Repeat it with TEST_SAMPLE=${sample} npm test`);

const startedAt = performance.now();
const pace = new MachinePace();
const parts = await Promise.all(
  startParts().map(async ([name, result]) => ({
    name,
    ...(await result.catch((error: Error) => failedPart(error.message))),
  })),
);
const samples = pace.stop();
const files = parts.flatMap((part) => part.files);
if (!long) {
  const slow = findSlowFiles(
    files.filter((file) => !file.path.endsWith('.spec.ts')),
    samples,
  );
  parts.push({ ...emptyPart, name: 'file times', failed: slow.length, failures: slow });
}

for (const { name, failures } of parts) {
  for (const failure of failures) {
    const lines = failure.message.split('\n').slice(0, LINES_PER_FAILURE);
    console.log(`\n━━ failed in ${name}: ${failure.name}\n${lines.join('\n')}`);
  }
}
console.log(`\n${describeSlowest(files, samples)}`);
console.log(`\n${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`);
for (const { name, passed, failed, notes } of parts)
  console.log([`${name}: ${passed} passed, ${failed} failed`, ...notes].join('; '));
const sum = (key: 'passed' | 'failed'): number => parts.reduce((total, part) => total + part[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;
