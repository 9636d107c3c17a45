import { checkFileNames } from './file-names.ts';
import { checkHouseRules } from './house-rules.ts';
import { checkImports, checkPlaces } from './import-direction.ts';
import { root, runScript, stopTogether } from './run.ts';
import type { Ran } from './run.ts';
import { checkSamples } from './sample.ts';
import { formatFinding, readSources } from './source.ts';
import type { Finding, SourceFile } from './source.ts';
import { checkTableUse } from './table-use.ts';
import type { Counts, Failure } from './test-counts.ts';

/** One part of the check: what it is called, and what it says when it fails. */
interface Part {
  readonly name: string;
  readonly run: () => Promise<Ran> | Ran;
}

const parts: readonly Part[] = [
  { name: 'format', run: () => runScript('node_modules/oxfmt/bin/oxfmt', ['--check']) },
  { name: 'lint', run: () => runScript('node_modules/oxlint/bin/oxlint', ['--type-aware']) },
  { name: 'types', run: () => runScript('node_modules/typescript/bin/tsc', ['-p', 'tsconfig.json']) },
  {
    name: 'types of the web app',
    run: () => runScript('node_modules/typescript/bin/tsc', ['-p', 'apps/web/tsconfig.json']),
  },
  {
    name: "types of the players' client",
    run: () => runScript('node_modules/typescript/bin/tsc', ['-p', 'apps/players/tsconfig.json']),
  },
  {
    name: 'types of its service worker',
    run: () => runScript('node_modules/typescript/bin/tsc', ['-p', 'apps/players/src/worker/tsconfig.json']),
  },
  {
    name: 'types of the browser tests',
    run: () => runScript('node_modules/typescript/bin/tsc', ['-p', 'apps/web/e2e/tsconfig.json']),
  },
  {
    name: 'house rules',
    run: () => outcomeOf((files) => [...checkHouseRules(files), ...checkFileNames(files), ...checkSamples(files)]),
  },
  { name: 'import direction', run: () => outcomeOf((files) => [...checkImports(files), ...checkPlaces(files)]) },
  { name: 'table use', run: () => outcomeOf(checkTableUse) },
  {
    name: 'unused parts',
    run: () => runScript('node_modules/knip/bin/knip.js', ['--no-progress', '--treat-config-hints-as-errors']),
  },
];

function outcomeOf(check: (files: readonly SourceFile[]) => readonly Finding[]): Ran {
  const findings = check(readSources(root));
  return { code: findings.length === 0 ? 0 : 1, output: findings.map(formatFinding).join('\n') };
}

/** Runs every part side by side, prints a line for each, and gives what the failing ones say. */
export async function runChecks(): Promise<Counts> {
  const failures: Failure[] = [];
  await Promise.all(
    parts.map(async ({ name, run }) => {
      const startedAt = performance.now();
      const { code, output } = await run();
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(28)}${seconds.padStart(5)} s`);
      if (code !== 0) failures.push({ name, message: output.trim() });
    }),
  );
  return { passed: parts.length - failures.length, failed: failures.length, notes: [], failures };
}

if (import.meta.main) {
  stopTogether();
  const { failures } = await runChecks();
  for (const { name, message } of failures) console.log(`\n── ${name} ──\n${message}`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}
