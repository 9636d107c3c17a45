import { checkDocs, checkNamedFiles } from './docs.ts';
import { checkFileNames } from './file-names.ts';
import { checkHouseRules } from './house-rules.ts';
import { checkImports, checkMap, checkPlaces } from './import-direction.ts';
import { root, runScript, stopTogether, type Ran } from './run.ts';
import { formatFinding, readSources, type Finding, type SourceFile } from './source.ts';
import { checkTableUse } from './table-use.ts';
import { emptyPart, type Failure, type PartResult } from './testing/test-reports.ts';
import { execFileSync } from 'node:child_process';
import { faultOfSubject } from './hooks/commit-subject.mjs';

interface Part {
  readonly name: string;
  readonly run: () => Promise<Ran> | Ran;
}

const parts: readonly Part[] = [
  { name: 'format', run: () => runScript('node_modules/oxfmt/bin/oxfmt', ['--check']) },
  { name: 'lint and types', run: () => runScript('node_modules/oxlint/bin/oxlint', ['--type-aware', '--type-check']) },
  // Without Node types.
  {
    name: 'types of the web app',
    run: () => runScript('node_modules/typescript/bin/tsc', ['-p', 'apps/web/tsconfig.json']),
  },
  {
    name: "types of the players' client",
    run: () => runScript('node_modules/typescript/bin/tsc', ['-p', 'apps/players/tsconfig.json']),
  },
  {
    name: 'house rules',
    run: () => outcomeOf((files) => [...checkHouseRules(files), ...checkFileNames(files)]),
  },
  {
    name: 'import direction',
    run: () => outcomeOf((files) => [...checkImports(files), ...checkPlaces(files), ...checkMap(files)]),
  },
  { name: 'docs', run: () => outcomeOf((files) => [...checkDocs(files), ...checkNamedFiles(files)]) },
  { name: 'table use', run: () => outcomeOf(checkTableUse) },
  { name: 'commits', run: () => outcomeOf(checkCommits) },
  {
    name: 'unused parts',
    run: () => runScript('node_modules/knip/bin/knip.js', ['--no-progress', '--treat-config-hints-as-errors']),
  },
];

let sources: readonly SourceFile[] | undefined;

function outcomeOf(check: (files: readonly SourceFile[]) => readonly Finding[]): Ran {
  sources ??= readSources(root);
  const findings = check(sources);
  return { code: findings.length === 0 ? 0 : 1, output: findings.map(formatFinding).join('\n') };
}

export async function runChecks(): Promise<PartResult> {
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
  return { ...emptyPart, passed: parts.length - failures.length, failed: failures.length, failures };
}

if (import.meta.main) {
  stopTogether();
  const { failures } = await runChecks();
  for (const { name, message } of failures) console.log(`\n── ${name} ──\n${message}`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

const RULE = 'tools/hooks/commit-msg';

function git(...args: string[]): string[] {
  const output = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return output.split('\n').filter(Boolean);
}

/** Checks only commits after the one that added the rule. Finds none without git or its history. */
function checkCommits(): readonly Finding[] {
  return subjectsSinceRule().flatMap((subject) => {
    const fault = faultOfSubject(subject);
    return fault ? [{ path: RULE, line: 1, rule: 'commit-subject', message: `${fault}: ${subject}` }] : [];
  });
}

function subjectsSinceRule(): readonly string[] {
  try {
    const added = git('log', '--diff-filter=A', '--format=%H', '--', RULE).at(-1);
    return added ? git('log', '--no-merges', '--format=%s', `${added}..HEAD`) : [];
  } catch {
    return [];
  }
}
