import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from './create-logger.ts';

type Line = Record<string, unknown> & { readonly msg: string };

let lines: Line[];
const newLogger = (): ReturnType<typeof createLogger> =>
  createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(JSON.parse(line) as Line) });
const loggedMessages = (): unknown[] => lines.map(({ msg, repeats }) => (repeats === undefined ? msg : [msg, repeats]));

beforeEach(() => {
  lines = [];
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

describe('a repeated error', () => {
  const noRoom = (): Error => Object.assign(new Error('no room'), { code: '53100' });

  it('is logged immediately, then once a minute with its count', () => {
    const { logger } = newLogger();
    for (let i = 0; i < 1_000; i++) logger.error({ error: noRoom() }, 'a step failed');
    expect(loggedMessages()).toEqual(['a step failed']);
    vi.advanceTimersByTime(60_000);
    expect(loggedMessages()).toEqual(['a step failed', ['a step failed', 999]]);
    expect(lines[1]).toMatchObject({ level: 50, error: { message: 'no room', code: '53100' } });
    for (let i = 0; i < 5; i++) logger.error({ error: noRoom() }, 'a step failed');
    vi.advanceTimersByTime(60_000);
    expect(loggedMessages().slice(2)).toEqual([['a step failed', 5]]);
    vi.advanceTimersByTime(120_000);
    expect(lines).toHaveLength(3);
    logger.error({ error: noRoom() }, 'a step failed');
    expect(loggedMessages().slice(3)).toEqual(['a step failed']);
  });

  it('is grouped across calls and paths, not across errors, fields or levels', () => {
    const { logger } = newLogger();
    const call = logger.child({ requestId: '01' });
    call.error({ error: noRoom(), path: '/a' }, 'call failed');
    logger.child({ requestId: '02' }).error({ error: noRoom(), path: '/b' }, 'call failed');
    expect(lines).toHaveLength(1);
    call.error({ error: new Error('a fault') }, 'call failed');
    call.error({ error: noRoom(), admin: 'arun' }, 'call failed');
    call.warn({ error: noRoom() }, 'call failed');
    expect(lines).toHaveLength(4);
    vi.advanceTimersByTime(60_000);
    expect(lines.slice(4)).toMatchObject([{ requestId: '02', path: '/b', repeats: 1 }]);
  });

  it('is grouped across the numbers and ids in its message', () => {
    const { logger } = newLogger();
    const full = (steps: number, draw: string, file: string): Error =>
      new Error(`${steps} steps failed, first draw ${draw} of network 1: could not extend file "base/16384/${file}"`);
    logger.error({ error: full(9, '01a22538-ad71-7001-a347-b213cee81a20', '16696') }, 'a step failed');
    logger.error({ error: full(11, '01a22539-4579-7004-8b4a-fae2228ede05', '17087') }, 'a step failed');
    expect(lines).toHaveLength(1);
    logger.error({ error: full(11, 'none', '17087') }, 'a step failed');
    expect(lines).toHaveLength(2);
  });

  it('is counted at process exit', () => {
    const { logger, flush } = newLogger();
    for (let i = 0; i < 3; i++) logger.warn('a text alone');
    flush();
    expect(loggedMessages()).toEqual(['a text alone', ['a text alone', 2]]);
  });

  it('is counted early if too many kinds fill the memory', () => {
    const { logger } = newLogger();
    for (let i = 0; i < 2; i++) logger.error({ draw: 0 }, 'wrong');
    for (let draw = 1; draw <= 1_000; draw++) logger.error({ draw }, 'wrong');
    expect(loggedMessages().filter((one) => Array.isArray(one))).toEqual([['wrong', 1]]);
  });
});

it('lines below warning are never grouped', () => {
  const { logger } = newLogger();
  for (let i = 0; i < 3; i++) logger.info({ route: '/a' }, 'call');
  expect(loggedMessages()).toEqual(['call', 'call', 'call']);
});
