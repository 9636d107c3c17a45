import { existsSync, readFileSync } from 'node:fs';

/** How many tests of one part passed and failed, and what to know about the failed ones. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly notes: readonly string[];
}

/** What is read of Vitest's JSON report. */
interface VitestReport {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { name: string; status: string; assertionResults: readonly { status: string }[] }[];
}

/** What is read of Playwright's JSON report. */
interface PlaywrightReport {
  readonly stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}

/** The counts of a part whose runner left a report, or one failure where it left none. */
export function countsOf(reportFile: string, code: number, count: (report: never, code: number) => Counts): Counts {
  if (!existsSync(reportFile)) return { passed: 0, failed: 1, notes: ['the runner crashed and left no report'] };
  return count(JSON.parse(readFileSync(reportFile, 'utf8')) as never, code);
}

/** Counts a Vitest report. A test that did not run has failed, and so has a file that could not be read. */
export function countVitest(report: VitestReport, code: number): Counts {
  const { numTotalTests, numPassedTests, numFailedTests } = report;
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
  );
  const notes = broken.map(({ name }) => `${name} failed outside its tests`);
  return conclude(
    numPassedTests,
    numFailedTests + broken.length,
    numTotalTests - numPassedTests - numFailedTests,
    notes,
    code,
  );
}

/** Counts a Playwright report. A test that passes only now and then has failed. */
export function countPlaywright({ stats }: PlaywrightReport, code: number): Counts {
  const notes = stats.flaky > 0 ? [`${stats.flaky} passed only when run again`] : [];
  return conclude(stats.expected, stats.unexpected + stats.flaky, stats.skipped, notes, code);
}

/** A runner that fails without a failed test, or runs none, is a failure too. */
function conclude(passed: number, failed: number, notRun: number, notes: readonly string[], code: number): Counts {
  const all = [...notes, ...(notRun > 0 ? [`${notRun} did not run`] : [])];
  if (failed + notRun > 0) return { passed, failed: failed + notRun, notes: all };
  if (passed === 0) return { passed, failed: 1, notes: [...all, 'no tests were found'] };
  if (code !== 0) return { passed, failed: 1, notes: [...all, `the runner ended with exit code ${code}`] };
  return { passed, failed: 0, notes: all };
}
