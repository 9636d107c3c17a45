import { expect, it } from 'vitest';
import { countPlaywright, countsOf, countVitest } from './test-counts.ts';

const vitest = (passed: number, failed: number, total: number, files: { status: string; tests: string[] }[] = []) => ({
  numTotalTests: total,
  numPassedTests: passed,
  numFailedTests: failed,
  testResults: files.map(({ status, tests }) => ({
    name: 'a.test.ts',
    status,
    assertionResults: tests.map((one) => ({ status: one })),
  })),
});

it.each([
  ['all is well', vitest(3, 0, 3), 0, { passed: 3, failed: 0, notes: [] }],
  ['tests fail', vitest(2, 1, 3, [{ status: 'failed', tests: ['failed'] }]), 1, { passed: 2, failed: 1, notes: [] }],
  ['tests are skipped', vitest(2, 0, 4), 0, { passed: 2, failed: 2, notes: ['2 did not run'] }],
  ['nothing is found', vitest(0, 0, 0), 0, { passed: 0, failed: 1, notes: ['no tests were found'] }],
  [
    'a file cannot be read',
    vitest(2, 0, 2, [{ status: 'failed', tests: [] }]),
    1,
    { passed: 2, failed: 1, notes: ['a.test.ts failed outside its tests'] },
  ],
  ['an error escapes', vitest(2, 0, 2), 1, { passed: 2, failed: 1, notes: ['the runner ended with exit code 1'] }],
])('counts Vitest when %s', (_when, report, code, counts) => expect(countVitest(report, code)).toEqual(counts));

it.each([
  [{ expected: 2, unexpected: 0, flaky: 0, skipped: 0 }, 0, { passed: 2, failed: 0, notes: [] }],
  [{ expected: 2, unexpected: 1, flaky: 1, skipped: 1 }, 1, { passed: 2, failed: 3 }],
  [{ expected: 0, unexpected: 0, flaky: 0, skipped: 0 }, 1, { passed: 0, failed: 1 }],
])('counts Playwright: %o', (stats, code, counts) => expect(countPlaywright({ stats }, code)).toMatchObject(counts));

it('counts a runner without a report as one failure', () => {
  expect(countsOf('no/such/report.json', 0, countVitest)).toMatchObject({ passed: 0, failed: 1 });
});
