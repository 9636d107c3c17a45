import path from 'node:path';
import type { Finding, SourceFile } from './source.ts';

/** Conventional names, distinguished by folder. */
const OF_TOOLS: ReadonlySet<string> = new Set([
  'package.json',
  'tsconfig.json',
  'README.md',
  'index.html',
  'vite.config.ts',
]);

const SCRIPT_ENDING = /\.[cm]?[jt]sx?$/;

/**
 * Compares names within a feature. Scripts must not differ only in case, dashes or ending either; some file systems
 * merge those.
 */
export function checkFileNames(files: readonly Pick<SourceFile, 'path'>[]): readonly Finding[] {
  const same = groupsOf(files, (file) => `${featureOf(file)} ${path.posix.basename(file)}`);
  const similar = groupsOf(
    files.filter((file) => SCRIPT_ENDING.test(file.path)),
    (file) => `${featureOf(file)} ${plainName(file)}`,
  );
  return [
    ...same.flatMap((group) => findingsOf(group, 'same name as')),
    // Exact duplicates are already reported.
    ...similar
      .filter((group) => new Set(group.map((file) => path.posix.basename(file))).size === group.length)
      .flatMap((group) => findingsOf(group, 'same name, apart from case, dashes and ending, as')),
  ];
}

function groupsOf(files: readonly Pick<SourceFile, 'path'>[], keyOf: (file: string) => string): readonly string[][] {
  const named = files.map((file) => file.path).filter((file) => !OF_TOOLS.has(path.posix.basename(file)));
  return [...Map.groupBy(named, keyOf).values()].filter((group) => group.length > 1);
}

function findingsOf(group: readonly string[], kind: string): readonly Finding[] {
  return group.map((file) => ({
    path: file,
    line: 1,
    rule: 'one-name',
    message: `${kind} ${group.find((other) => other !== file)!}: make this name more specific`,
  }));
}

/**
 * Returns a folder of `src`, one floor deeper where `src` groups features; elsewhere a package, an app or a root
 * folder.
 */
function featureOf(file: string): string {
  return /^(?:apps|packages)\/[^/]+\/src\/(?:(?:features|platform|operations)\/)?[^/]+(?=\/)|^(?:apps|packages)\/[^/]+|^[^/]+/.exec(
    file,
  )![0];
}

/** Keeps parts such as `.test` and `.routes`. */
function plainName(file: string): string {
  return path.posix.basename(file).replace(SCRIPT_ENDING, '').replaceAll('-', '').toLowerCase();
}
