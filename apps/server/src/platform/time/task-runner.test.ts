import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTaskRunner, type PeriodicTask, type TaskRunner } from './task-runner.ts';

let nowMs: number;
let done: string[];
let logged: string[];

beforeEach(() => {
  nowMs = 1_000_000;
  done = [];
  logged = [];
});

function recurring(...recurrences: PeriodicTask[]): TaskRunner {
  const logger = pino({}, { write: (line: string) => void logged.push((JSON.parse(line) as { msg: string }).msg) });
  return createTaskRunner({ now: () => new Date(nowMs) }, logger, recurrences);
}
const noting = (name: string, everyMs: number, ...gives: (boolean | Error)[]): PeriodicTask => ({
  name,
  everyMs,
  run: async () => {
    done.push(name);
    const next = gives.shift() ?? false;
    if (next instanceof Error) throw next;
    return next;
  },
});
async function stepsAt(each: TaskRunner, ...afterMs: number[]): Promise<string[]> {
  const startMs = nowMs;
  const seen: string[] = [];
  for (const ms of [0, ...afterMs]) {
    nowMs = startMs + ms;
    await each.step();
    await each.stop();
    seen.push(done.splice(0).join(' '));
  }
  return seen;
}

describe('periodic work', () => {
  it('runs in order, each task when due', async () => {
    const both = recurring(noting('seldom', 1_000), noting('always', 0));
    expect(await stepsAt(both, 1, 999, 1_000, 1_500, 2_000)).toEqual([
      'seldom always',
      'always',
      'always',
      'seldom always',
      'always',
      'seldom always',
    ]);
  });

  it('continues the remainder in the next step', async () => {
    const each = recurring(noting('work', 1_000, true, true, false));
    expect(await stepsAt(each, 1, 2, 3, 1_001, 1_002)).toEqual(['work', 'work', 'work', '', '', 'work']);
  });

  it("is not delayed by a fast clock's past", async () => {
    const each = recurring(noting('work', 1_000));
    expect(await stepsAt(each, -500, -1)).toEqual(['work', 'work', '']);
  });

  it('fails the step, and later tasks wait for the next', async () => {
    const each = recurring(noting('work', 1_000, new Error('away')), noting('after', 1_000));
    await expect(each.step()).rejects.toThrow('away');
    expect(done.splice(0)).toEqual(['work']);
    expect(await stepsAt(each, 1_000)).toEqual(['after', 'work after']);
  });
});

describe('background periodic work', () => {
  it('does not delay steps, runs once at a time, and is awaited at shutdown', async () => {
    let end = (): void => {};
    const long: PeriodicTask = {
      name: 'long',
      everyMs: 0,
      aside: 'failed',
      run: async () => {
        done.push('begins');
        await new Promise<void>((resolve) => (end = resolve));
        done.push('ends');
      },
    };
    const each = recurring(long, noting('work', 0));
    await each.step();
    await each.step();
    expect(done.splice(0)).toEqual(['begins', 'work', 'work']);
    const stopped = each.stop().then(() => done.push('stopped'));
    await new Promise(setImmediate);
    expect(done).toEqual([]);
    end();
    await stopped;
    expect(done).toEqual(['ends', 'stopped']);
  });

  it('is retried in the next step after a logged failure, without failing it', async () => {
    const each = recurring({ ...noting('day', 60_000, new Error('away')), aside: 'a day could not be summed' });
    expect(await stepsAt(each, 1, 2)).toEqual(['day', 'day', '']);
    expect(logged).toEqual(['a day could not be summed']);
  });

  it('completes and fails if everything is awaited', async () => {
    const days = { ...noting('day', 60_000, true, true, false, new Error('away')), aside: 'failed' };
    const each = recurring(days, noting('rest', 60_000, true));
    await each.all();
    expect(done.splice(0)).toEqual(['day', 'day', 'day', 'rest']);
    nowMs += 60_000;
    await expect(each.all()).rejects.toThrow('away');
  });
});
