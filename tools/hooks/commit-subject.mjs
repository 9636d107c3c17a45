import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LONGEST = 72;
const OF_GIT = /^(?:Merge|Revert|fixup!|squash!|amend!) /;

/** Undefined for a right subject. */
export function faultOfSubject(subject) {
  if (OF_GIT.test(subject)) return undefined;
  if (subject.length > LONGEST) return `${subject.length} characters; at most ${LONGEST}`;
  if (!/^[a-z][\w ,/.'-]*: \S/.test(subject)) return 'write "area: imperative summary"';
  return undefined;
}

// Git passes the path of the message file. Not TypeScript, because it runs on any Node version.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [subject] = readFileSync(process.argv[2], 'utf8').split('\n');
  const fault = faultOfSubject(subject);
  if (fault) {
    console.error(`The subject of this commit: ${fault}.\n  ${subject}`);
    process.exitCode = 1;
  }
}
