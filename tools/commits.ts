import { execFileSync } from 'node:child_process';
import { faultOfSubject } from './commit-subject.mjs';
import { root } from './run.ts';
import type { Finding } from './source.ts';

const RULE = 'tools/hooks/commit-msg';

function git(...args: string[]): string[] {
  const output = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return output.split('\n').filter(Boolean);
}

/** Checks the subjects of the commits after the one that added the rule. Finds none without git or its history. */
export function checkCommits(): readonly Finding[] {
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
