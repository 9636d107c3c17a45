import path from 'node:path';
import type { Finding, SourceFile } from './source.ts';

/** Names that tools give, and that say by their folder what they are of. */
const OF_TOOLS: ReadonlySet<string> = new Set([
  'package.json',
  'tsconfig.json',
  'README.md',
  'index.html',
  'vite.config.ts',
]);

const SCRIPT_ENDING = /\.[cm]?[jt]sx?$/;

/**
 * Every file whose name another file has too: a name is found once in the repository, so that whoever looks for it finds one file. On one
 * floor two scripts may not differ by case, dashes or ending alone either: that reads as one name, and some file systems take it for one.
 * What differs so on two floors is the same thing there, and is called by the habit of each: `pay-commission.ts`, `payCommission.ts`.
 */
export function checkFileNames(files: readonly Pick<SourceFile, 'path'>[]): readonly Finding[] {
  const same = groupsOf(files, (file) => path.posix.basename(file));
  const alike = groupsOf(
    files.filter((file) => SCRIPT_ENDING.test(file.path)),
    (file) => `${floorOf(file)} ${plainName(file)}`,
  );
  return [
    ...same.flatMap((group) => findingsOf(group, 'the name is that of')),
    // What has the same name is told once.
    ...alike
      .filter((group) => new Set(group.map((file) => path.posix.basename(file))).size === group.length)
      .flatMap((group) => findingsOf(group, 'but for case, dashes and ending the name is that of')),
  ];
}

function groupsOf(files: readonly Pick<SourceFile, 'path'>[], keyOf: (file: string) => string): readonly string[][] {
  const named = files.map((file) => file.path).filter((file) => !OF_TOOLS.has(path.posix.basename(file)));
  return [...Map.groupBy(named, keyOf).values()].filter((group) => group.length > 1);
}

function findingsOf(group: readonly string[], what: string): readonly Finding[] {
  return group.map((file) => ({
    path: file,
    line: 1,
    rule: 'one-name',
    message: `${what} ${group.find((other) => other !== file)!} too: say what this one is of`,
  }));
}

/** A package, an app, or a folder of the root. */
function floorOf(file: string): string {
  return /^(?:apps|packages)\/[^/]+|^[^/]+/.exec(file)![0];
}

/** A script's name without what does not tell it from another: `.test` and `.routes` do. */
function plainName(file: string): string {
  return path.posix.basename(file).replace(SCRIPT_ENDING, '').replaceAll('-', '').toLowerCase();
}
