import { expect, it } from 'vitest';
import { checkSamples } from './sample.ts';

const code = { path: 'a.ts', text: 'const a = list({\n  path: 1,\n  rows: [one, two],\n  file: 2,\n});\n' };
const found = (...lines: string[]) =>
  checkSamples([code, { path: 'PAGE.md', text: `text\n\`\`\`diff\n${lines.join('\n')}\n\`\`\`\n` }]).map(
    ({ path, line }) => `${path}:${line}`,
  );

it('takes what stands in the code, in order, with parts left out', () => {
  expect(found('+++ a.ts', '+const a = list({', '+  …', '+  rows: [one, …],', '+});')).toEqual([]);
});

it.each([
  ['another line', ['+++ a.ts', '+  path: 2,']],
  ['another order', ['+++ a.ts', '+  file: 2,', '+  path: 1,'], 5],
  ['a part that is not there', ['+++ a.ts', '+  rows: [three, …],']],
  ['a file that is not there', ['+++ b.ts', '+  path: 1,'], 3],
])('finds %s', (_what, lines, line = 4) => expect(found(...lines)).toEqual([`PAGE.md:${line}`]));
