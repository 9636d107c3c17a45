import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** One thing that failed, and what was said of it. */
export interface Failure {
  readonly name: string;
  readonly message: string;
}

/** How many tests of one part passed and failed, what to know about the failed ones, and what they said. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly notes: readonly string[];
  readonly failures: readonly Failure[];
}

/** What is read of Vitest's JSON report. */
export interface VitestReport {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly VitestFile[];
}

interface VitestFile {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
  readonly startTime?: number;
  readonly endTime?: number;
  readonly assertionResults: readonly {
    status: string;
    fullName?: string;
    failureMessages?: readonly string[] | null;
  }[];
}

/** What is read of Playwright's JSON report. */
export interface PlaywrightReport {
  readonly stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  readonly suites?: readonly PlaywrightSuite[];
  /** What failed outside all tests, such as the set-up of the run. */
  readonly errors?: readonly { message?: string }[];
}

interface PlaywrightSuite {
  readonly specs?: readonly PlaywrightSpec[];
  readonly suites?: readonly PlaywrightSuite[];
}

interface PlaywrightSpec {
  readonly title: string;
  readonly file: string;
  readonly ok: boolean;
  readonly tests: readonly { results: readonly { duration?: number; errors?: readonly { message?: string }[] }[] }[];
}

/** The counts of a part whose runner left a report, or one failure where it left none. */
export function countsOf(reportFile: string, code: number, count: (report: never, code: number) => Counts): Counts {
  if (!existsSync(reportFile)) return failedWith('the runner crashed and left no report');
  return count(JSON.parse(readFileSync(reportFile, 'utf8')) as never, code);
}

/** The counts of a part that could not run. */
export function failedWith(note: string): Counts {
  return { passed: 0, failed: 1, notes: [note], failures: [] };
}

/** Counts a Vitest report. A test that did not run has failed, and so has a file that could not be read. */
export function countVitest(report: VitestReport, code: number): Counts {
  const { numTotalTests, numPassedTests, numFailedTests } = report;
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
  );
  const notes = broken.map(({ name }) => `${name} failed outside its tests`);
  const failures = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map((one) => failure(`${name} › ${one.fullName ?? ''}`, one.failureMessages ?? [])),
  );
  return conclude(
    numPassedTests,
    numFailedTests + broken.length,
    numTotalTests - numPassedTests - numFailedTests,
    notes,
    code,
    [...broken.map(({ name, message }) => failure(name, [message ?? ''])), ...failures],
  );
}

/** Counts a Playwright report. A test that passes only now and then has failed. */
export function countPlaywright({ stats, suites = [], errors = [] }: PlaywrightReport, code: number): Counts {
  const notes = stats.flaky > 0 ? [`${stats.flaky} passed only when run again`] : [];
  const failures = [
    ...errors.map(({ message }) => failure('outside all tests', [message ?? ''])),
    ...suites.flatMap(specsOf).flatMap(({ file, title, ok, tests }) => {
      const messages = tests.flatMap(({ results }) => results.flatMap((result) => result.errors ?? []));
      return ok
        ? []
        : [
            failure(
              `${file} › ${title}`,
              messages.map(({ message }) => message ?? ''),
            ),
          ];
    }),
  ];
  return conclude(stats.expected, stats.unexpected + stats.flaky, stats.skipped, notes, code, failures);
}

/** The files of a Playwright report, once for each test, with how long that took in milliseconds. */
export function filesOfPlaywright({ suites = [] }: PlaywrightReport): { file: string; ms: number }[] {
  return suites.flatMap(specsOf).map(({ file, tests }) => {
    const results = tests.flatMap((one) => one.results);
    return { file, ms: results.reduce((sum, { duration = 0 }) => sum + duration, 0) };
  });
}

function specsOf({ specs = [], suites = [] }: PlaywrightSuite): PlaywrightSpec[] {
  return [...specs, ...suites.flatMap(specsOf)];
}

function failure(name: string, messages: readonly string[]): Failure {
  return { name, message: stripVTControlCharacters(messages.join('\n')).trim() };
}

/** A runner that fails without a failed test, or runs none, is a failure too. */
function conclude(
  passed: number,
  failed: number,
  notRun: number,
  notes: readonly string[],
  code: number,
  failures: readonly Failure[],
): Counts {
  const all = [...notes, ...(notRun > 0 ? [`${notRun} did not run`] : [])];
  if (failed + notRun > 0) return { passed, failed: failed + notRun, notes: all, failures };
  if (passed === 0) return { passed, failed: 1, notes: [...all, 'no tests were found'], failures };
  if (code !== 0) return { passed, failed: 1, notes: [...all, `the runner ended with exit code ${code}`], failures };
  return { passed, failed: 0, notes: all, failures };
}
