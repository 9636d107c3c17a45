import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { importsOf } from './import-graph.ts';
import { root } from './run.ts';
import { readSources } from './source.ts';
import type { SourceFile } from './source.ts';
import { readTimes } from './test-times.ts';
import type { Times } from './test-times.ts';

/** The tests that are run for some changes. */
export interface NearTests {
  /** The files of tests, the nearest first. */
  readonly tests: readonly string[];
  /** The browser tests that were themselves changed. */
  readonly specs: readonly string[];
  /** How many more files of tests the changes reach. */
  readonly leftOut: number;
}

/** With the checks beside it, so much of the tests' own time on two workers takes less than a minute. */
const BUDGET_MS = 50_000;
/** Of a file that has not been run here yet: those of the server's own folder of tests begin with a network of accounts. */
const guess = (file: string): number => (file.startsWith('apps/server/') ? 8_000 : 500);

/** But for what is left to `npm run test:long`. */
const TEST = /(?<!\.long)\.test\.tsx?$/;
const SPEC = /\.spec\.ts$/;
/** The folder of a feature, and how many imports nearer a test counts that is named for it. */
const FEATURE = /^apps\/server\/src\/(\w+)\//;
const HEAD_START = 2;
/** What is read and not imported, and the file that reads it. */
const READ_BY: readonly (readonly [RegExp, string])[] = [
  [/^apps\/server\/migrations\//, 'apps/server/src/db/migrate.ts'],
  [/^apps\/server\/grants\.sql$/, 'apps/server/src/db/serving-role.ts'],
  [/^tools\/setup(?:\.mjs$|\/)/, 'tools/setup.test.ts'],
];

/** The tests for what has changed since a commit, files that are not in git yet included. */
export function nearTests(since: string): NearTests {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  const changed = [
    ...git('diff', '--name-only', '-z', since),
    ...git('ls-files', '--others', '--exclude-standard', '-z'),
  ];
  return selectTests(readSources(root), changed, readTimes());
}

/**
 * Of the tests that import what has changed, over however many files, the nearest that have been seen to take less than the budget
 * together; at least the one next to it. Those that are named for its feature count as nearer than the others.
 */
export function selectTests(files: readonly SourceFile[], changed: readonly string[], times: Times): NearTests {
  const away = distances(files, changed);
  const reached = [...away.keys()].filter((file) => TEST.test(file));
  const timeOf = (file: string): number => times[file] ?? guess(file);
  const order = (file: string): number => away.get(file)! - (isNamedFor(file, changed) ? HEAD_START : 0);
  reached.sort((one, other) => order(one) - order(other) || timeOf(one) - timeOf(other));
  let spentMs = 0;
  const fits = (file: string): boolean => (spentMs += timeOf(file)) <= BUDGET_MS;
  const end = reached.findIndex((file, index) => !fits(file) && index > 0);
  const tests = end < 0 ? reached : reached.slice(0, end);
  return { tests, specs: changed.filter((file) => SPEC.test(file)), leftOut: reached.length - tests.length };
}

/** Whether a test is named for the feature of something that has changed. */
function isNamedFor(test: string, changed: readonly string[]): boolean {
  const name = path.posix.basename(test);
  return changed.some((file) => {
    const feature = FEATURE.exec(file)?.[1];
    return feature !== undefined && name.includes(feature.replace(/s$/, ''));
  });
}

/** How many imports away each file is that the changes reach. */
function distances(files: readonly SourceFile[], changed: readonly string[]): Map<string, number> {
  const known = new Set(files.map((file) => file.path));
  const importers = new Map<string, string[]>();
  for (const file of files) {
    for (const { target } of importsOf(file, known)) {
      if (target === undefined) continue;
      const of = importers.get(target);
      if (of) of.push(file.path);
      else importers.set(target, [file.path]);
    }
  }
  const readers = READ_BY.filter(([pattern]) => changed.some((file) => pattern.test(file))).map(([, reader]) => reader);
  const away = new Map([...changed, ...readers].filter((file) => known.has(file)).map((file) => [file, 0]));
  // A map goes on to what is added while it is gone through, so the nearest come first.
  for (const [file, distance] of away) {
    for (const importer of importers.get(file) ?? []) if (!away.has(importer)) away.set(importer, distance + 1);
  }
  return away;
}
