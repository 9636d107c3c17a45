import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../run.ts';

export interface Failure {
  readonly name: string;
  readonly message: string;
}

/** Unix milliseconds; path relative to the root. */
export interface TestFile {
  readonly path: string;
  readonly startMs: number;
  readonly endMs: number;
}

export interface PartResult {
  readonly passed: number;
  readonly failed: number;
  readonly notes: readonly string[];
  readonly failures: readonly Failure[];
  readonly files: readonly TestFile[];
}

export interface RunnerEnd {
  readonly code: number;
  readonly mayBeEmpty?: boolean;
}

interface VitestReport {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

interface PlaywrightReport {
  readonly config: { readonly rootDir: string };
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
  readonly suites: readonly PlaywrightSuite[];
  readonly errors: readonly { readonly message?: string }[];
}

interface PlaywrightSuite {
  readonly specs?: readonly PlaywrightSpec[];
  readonly suites?: readonly PlaywrightSuite[];
}

interface PlaywrightSpec {
  readonly title: string;
  readonly file: string;
  readonly ok: boolean;
  readonly tests: readonly { readonly results: readonly PlaywrightTestResult[] }[];
}

interface PlaywrightTestResult {
  readonly startTime: string;
  readonly duration: number;
  readonly errors: readonly { readonly message?: string }[];
}

export const emptyPart: PartResult = { passed: 0, failed: 0, notes: [], failures: [], files: [] };

export function failedPart(note: string): PartResult {
  return { ...emptyPart, failed: 1, notes: [note] };
}

/** Skipped tests and failures outside tests count as failed. */
export function readVitest(reportFile: string, timesFile: string, end: RunnerEnd): PartResult {
  const report = readJson(reportFile) as VitestReport | undefined;
  if (!report) return failedPart('the runner wrote no report');
  const { numTotalTests: total, numPassedTests: passed, numFailedTests: failed, testResults } = report;
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const failures = [
    ...broken.map(({ name, message = '' }) => failure(relative(name), [message])),
    ...testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => failure(`${relative(name)} › ${fullName}`, failureMessages)),
    ),
  ];
  const files = (readJson(timesFile) as TestFile[] | undefined) ?? [];
  const notes = broken.map(({ name }) => `${relative(name)} failed outside its tests`);
  return conclude({ passed, failed: failed + broken.length, notes, failures, files }, total - passed - failed, end);
}

/** Skipped and flaky tests count as failed. */
export function readPlaywright(reportFile: string, end: RunnerEnd): PartResult {
  const report = readJson(reportFile) as PlaywrightReport | undefined;
  if (!report) return failedPart('the runner wrote no report');
  const { config, stats, suites, errors } = report;
  const pathOf = (file: string): string => relative(path.join(config.rootDir, file));
  const failures = errors.map(({ message = '' }) => failure('outside all tests', [message]));
  const files = new Map<string, TestFile>();
  for (const { file, title, ok, tests } of suites.flatMap(specsOf)) {
    const results = tests.flatMap((test) => test.results);
    const messages = results.flatMap((result) => result.errors.map(({ message = '' }) => message));
    if (!ok) failures.push(failure(`${pathOf(file)} › ${title}`, messages));
    for (const result of results) {
      const startMs = Date.parse(result.startTime);
      const entry = files.get(file) ?? { path: pathOf(file), startMs, endMs: startMs };
      files.set(file, {
        ...entry,
        startMs: Math.min(entry.startMs, startMs),
        endMs: Math.max(entry.endMs, startMs + result.duration),
      });
    }
  }
  const notes = stats.flaky > 0 ? [`${stats.flaky} passed only when repeated`] : [];
  const failed = stats.unexpected + stats.flaky;
  return conclude({ passed: stats.expected, failed, notes, failures, files: [...files.values()] }, stats.skipped, end);
}

function readJson(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function specsOf({ specs = [], suites = [] }: PlaywrightSuite): PlaywrightSpec[] {
  return [...specs, ...suites.flatMap(specsOf)];
}

function failure(name: string, messages: readonly string[]): Failure {
  return { name, message: stripVTControlCharacters(messages.join('\n')).trim() };
}

function relative(file: string): string {
  return path.relative(root, file).replaceAll(path.sep, '/');
}

/** Failures without a test: skipped tests, empty runs, non-zero exit codes. */
function conclude(result: PartResult, skipped: number, { code, mayBeEmpty = false }: RunnerEnd): PartResult {
  const { passed, failed, notes } = result;
  if (skipped > 0) return { ...result, failed: failed + skipped, notes: [...notes, `${skipped} did not run`] };
  if (failed > 0) return result;
  if (code !== 0) return { ...result, failed: 1, notes: [...notes, `the runner exited with code ${code}`] };
  if (passed === 0 && !mayBeEmpty) return { ...result, failed: 1, notes: [...notes, 'no tests were found'] };
  return result;
}
