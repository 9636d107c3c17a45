import { expect, it } from 'vitest';
import { formatLogLine } from './create-logger.ts';

const line = (more: object): string =>
  `${JSON.stringify({ level: 50, time: Date.UTC(2026, 0, 31, 18, 30, 1, 234), pid: 7, hostname: 'here', ...more })}\n`;

it('has time, level, message, error and fields in one line, then the stack', () => {
  const error = {
    message: 'no room',
    code: '53100',
    stack: 'Error: no room\n    at step (file.ts:1:2)\n    at run (file.ts:3:4)',
  };
  expect(formatLogLine(line({ name: 'day', repeats: 12, why: 'two words', error, msg: 'a step failed' }), false)).toBe(
    '2026-01-31 18:30:01Z ERROR a step failed: no room  name=day repeats=12 why="two words" error=53100\n' +
      '    at step (file.ts:1:2)\n    at run (file.ts:3:4)\n',
  );
});

it('is a line without empty fields, colored for terminals', () => {
  expect(formatLogLine(line({ level: 30, msg: 'call' }), false)).toBe('2026-01-31 18:30:01Z INFO  call\n');
  expect(formatLogLine(line({ msg: 'wrong' }), true)).toBe('2026-01-31 18:30:01Z \u001b[31mERROR\u001b[39m wrong\n');
});

it('escapes control characters and never fakes a line', () => {
  const shown = formatLogLine(line({ msg: 'a\n2026 INFO forged', path: '\u001b[2J\u009b2J\r' }), false);
  expect(shown.split('\n')).toHaveLength(2);
  expect(shown.replaceAll(/[^\p{Cc}]/gu, '')).toBe('\n');
});
