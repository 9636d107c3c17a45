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
])('counts Vitest when %s', (_when, report, code, counts) => expect(countVitest(report, code)).toMatchObject(counts));

it.each([
  [{ expected: 2, unexpected: 0, flaky: 0, skipped: 0 }, 0, { passed: 2, failed: 0, notes: [] }],
  [{ expected: 2, unexpected: 1, flaky: 1, skipped: 1 }, 1, { passed: 2, failed: 3 }],
  [{ expected: 0, unexpected: 0, flaky: 0, skipped: 0 }, 1, { passed: 0, failed: 1 }],
])('counts Playwright: %o', (stats, code, counts) => expect(countPlaywright({ stats }, code)).toMatchObject(counts));

it('counts a runner without a report as one failure', () => {
  expect(countsOf('no/such/report.json', 0, countVitest)).toMatchObject({ passed: 0, failed: 1 });
});

it('keeps what the failed tests of both said, without colours', () => {
  const file = {
    name: 'a.test.ts',
    status: 'failed',
    assertionResults: [
      { status: 'passed', fullName: 'one', failureMessages: [] },
      { status: 'failed', fullName: 'two', failureMessages: ['\u001b[31mexpected 1 to be 2\u001b[39m'] },
    ],
  };
  const broken = { name: 'b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] };
  const report = { numTotalTests: 2, numPassedTests: 1, numFailedTests: 1, testResults: [file, broken] };
  expect(countVitest(report, 1).failures).toEqual([
    { name: 'b.test.ts', message: 'no such module' },
    { name: 'a.test.ts › two', message: 'expected 1 to be 2' },
  ]);

  const spec = (title: string, ok: boolean, message: string) => ({
    title,
    file: 'a.spec.ts',
    ok,
    tests: [{ results: [{ errors: ok ? [] : [{ message }] }] }],
  });
  const stats = { expected: 1, unexpected: 1, flaky: 0, skipped: 0 };
  const suites = [{ specs: [spec('one', true, '')], suites: [{ specs: [spec('two', false, 'not visible')] }] }];
  expect(countPlaywright({ stats, suites, errors: [{ message: 'no browser' }] }, 1).failures).toEqual([
    { name: 'outside all tests', message: 'no browser' },
    { name: 'a.spec.ts › two', message: 'not visible' },
  ]);
});
