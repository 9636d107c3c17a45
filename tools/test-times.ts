import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './run.ts';
import { filesOfPlaywright } from './test-counts.ts';
import type { PlaywrightReport, VitestReport } from './test-counts.ts';

/** How long each file of tests took in the last run that had it, in milliseconds, by its path. */
export type Times = Readonly<Record<string, number>>;

const KEPT = path.join(root, '.cache', 'test-times.json');
/** The browser tests are named from here. */
const BROWSER_TESTS = 'apps/web/e2e';

/** The times of the last runs. */
export function readTimes(): Times {
  return existsSync(KEPT) ? (JSON.parse(readFileSync(KEPT, 'utf8')) as Times) : {};
}

/** Keeps the times of a run. */
export function keepTimes(times: Times): void {
  writeFileSync(KEPT, JSON.stringify({ ...readTimes(), ...times }, null, 1));
}

/** How long each file of a Vitest report took. */
export function timesOfVitest({ testResults }: VitestReport): Times {
  return Object.fromEntries(
    testResults.map(({ name, startTime = 0, endTime = 0 }) => {
      return [path.relative(root, name).replaceAll(path.sep, '/'), Math.round(endTime - startTime)];
    }),
  );
}

/** How long each file of a Playwright report took, but for what is done before and after its tests. */
export function timesOfPlaywright(report: PlaywrightReport): Times {
  const times: Record<string, number> = {};
  for (const { file, ms } of filesOfPlaywright(report)) {
    const name = path.posix.join(BROWSER_TESTS, file);
    times[name] = (times[name] ?? 0) + ms;
  }
  return times;
}

/** The files that took longest, a line for each: how long, and where it differs by a fifth and a second, how long in the run before. */
export function slowest(times: Times, before: Times, most = 10): string[] {
  return Object.entries(times)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([file, ms]) => {
      const was = before[file];
      const differs = was !== undefined && Math.abs(ms - was) > Math.max(1000, was / 5);
      return `${seconds(ms).padStart(6)} s  ${file}${differs ? `, ${seconds(was)} s before` : ''}`;
    });
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1);
