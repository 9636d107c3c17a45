import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { root } from '../run.ts';
import { readPlaywright, readVitest } from './test-reports.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'reports-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, report: unknown): string {
  const file = path.join(folder, name);
  writeFileSync(file, JSON.stringify(report));
  return file;
}

const passes = { status: 'passed', fullName: 'one', failureMessages: [] };
const fails = { status: 'failed', fullName: 'two', failureMessages: ['\u001b[31mexpected 1 to be 2\u001b[39m'] };
const file = (name: string, status: string, ...assertionResults: unknown[]) => ({
  name: path.join(root, name),
  status,
  message: 'no such module',
  assertionResults,
});
const vitest = (total: number, passed: number, failed: number, ...testResults: unknown[]) =>
  write('vitest.json', { numTotalTests: total, numPassedTests: passed, numFailedTests: failed, testResults });

it('counts failed tests and broken files of Vitest with their messages', () => {
  const times = write('times.json', [{ path: 'a.test.ts', startMs: 1, endMs: 2 }]);
  const report = vitest(2, 1, 1, file('a.test.ts', 'failed', passes, fails), file('b.test.ts', 'failed'));
  expect(readVitest(report, times, { code: 1 })).toEqual({
    passed: 1,
    failed: 2,
    notes: ['b.test.ts failed outside its tests'],
    failures: [
      { name: 'b.test.ts', message: 'no such module' },
      { name: 'a.test.ts › two', message: 'expected 1 to be 2' },
    ],
    files: [{ path: 'a.test.ts', startMs: 1, endMs: 2 }],
  });
});

it.each([
  ['skips tests', [4, 2, 0], { code: 0 }, { passed: 2, failed: 2, notes: ['2 did not run'] }],
  ['finds no tests', [0, 0, 0], { code: 0 }, { failed: 1, notes: ['no tests were found'] }],
  ['finds none and may', [0, 0, 0], { code: 0, mayBeEmpty: true }, { failed: 0, notes: [] }],
  ['ends with an error of its own', [2, 2, 0], { code: 1 }, { failed: 1, notes: ['the runner exited with code 1'] }],
] as const)('counts a runner that %s', (_name, [total, passed, failed], end, result) => {
  expect(readVitest(vitest(total, passed, failed), 'none', end)).toMatchObject(result);
});

it('counts a missing report as a failure', () => {
  expect(readVitest(path.join(folder, 'none.json'), 'none', { code: 0 })).toMatchObject({ passed: 0, failed: 1 });
  expect(readPlaywright(path.join(folder, 'none.json'), { code: 0 })).toMatchObject({ passed: 0, failed: 1 });
});

it('counts unexpected, flaky and skipped tests of Playwright as failed, and times its files', () => {
  const spec = (title: string, second: number, ...messages: string[]) => ({
    title,
    file: 'a.spec.ts',
    ok: messages.length === 0,
    tests: [
      {
        results: [
          {
            startTime: `2026-01-01T00:00:0${second}.000Z`,
            duration: 1500,
            errors: messages.map((message) => ({ message })),
          },
        ],
      },
    ],
  });
  const report = write('playwright.json', {
    config: { rootDir: path.join(root, 'apps/web/e2e') },
    stats: { expected: 1, unexpected: 1, flaky: 1, skipped: 1 },
    suites: [{ specs: [spec('one', 1)], suites: [{ specs: [spec('two', 3, 'not visible')] }] }],
    errors: [{ message: 'no browser' }],
  });
  const startMs = Date.parse('2026-01-01T00:00:01Z');
  expect(readPlaywright(report, { code: 1 })).toEqual({
    passed: 1,
    failed: 3,
    notes: ['1 passed only when repeated', '1 did not run'],
    failures: [
      { name: 'outside all tests', message: 'no browser' },
      { name: 'apps/web/e2e/a.spec.ts › two', message: 'not visible' },
    ],
    files: [{ path: 'apps/web/e2e/a.spec.ts', startMs, endMs: startMs + 3500 }],
  });
});
