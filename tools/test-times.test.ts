import { expect, it } from 'vitest';
import { slowest, timesOfPlaywright, timesOfVitest } from './test-times.ts';
import { root } from './run.ts';

it('says which files took longest, the longest first, and which of them changed', () => {
  const times = { 'one.test.ts': 900, 'two.test.ts': 10_040, 'three.spec.ts': 20_000, 'four.test.ts': 5_000 };
  expect(slowest(times, { 'two.test.ts': 5_000, 'three.spec.ts': 19_000, 'four.test.ts': 8_000 }, 3)).toEqual([
    '  20.0 s  three.spec.ts',
    '  10.0 s  two.test.ts, 5.0 s before',
    '   5.0 s  four.test.ts, 8.0 s before',
  ]);
});

it('reads the time of each file from what the runners report', () => {
  const report = {
    numTotalTests: 1,
    numPassedTests: 1,
    numFailedTests: 0,
    testResults: [
      {
        name: `${root}packages/rules/src/wins.test.ts`,
        status: 'passed',
        startTime: 100,
        endTime: 1350.4,
        assertionResults: [],
      },
    ],
  };
  expect(timesOfVitest(report)).toEqual({ 'packages/rules/src/wins.test.ts': 1250 });
  const spec = (file: string, ...durations: number[]) => ({
    title: 'is right',
    file,
    ok: true,
    tests: [{ results: durations.map((duration) => ({ duration })) }],
  });
  const stats = { expected: 3, unexpected: 0, flaky: 0, skipped: 0 };
  const suites = [
    { specs: [spec('credit.spec.ts', 100)], suites: [{ specs: [spec('credit.spec.ts', 20, 3)] }] },
    { specs: [spec('panel.spec.ts', 7)] },
  ];
  expect(timesOfPlaywright({ stats, suites })).toEqual({
    'apps/web/e2e/credit.spec.ts': 123,
    'apps/web/e2e/panel.spec.ts': 7,
  });
});
