import { describe, expect, it } from 'vitest';
import { diskNotices, readDisks } from '../../platform/disks.ts';
import { auditNotices, clockNotices, createLateWatch, createRestartWatch } from './server-health.ts';

const NOW = new Date('2026-03-10T10:00:00.000Z');
const DAY_MS = 86_400_000;
const GIB = 2 ** 30;
const before = (days: number): Date => new Date(NOW.getTime() - days * DAY_MS);

describe('disk notices', () => {
  const look = async (path: string) => {
    if (path === 'none') throw new Error('ENOENT');
    return { device: path.length, free: path.length * GIB, size: 20 * GIB };
  };

  it('appear once per disk with its contents, only if space is low', async () => {
    const disks = await readDisks({ DATA_DIR: 'a', SEAL_DIR: 'b', BACKUP_DIR: 'four', OTHER: 'none' }, look);
    expect(disks).toEqual([
      { folders: ['DATA_DIR', 'SEAL_DIR'], free: GIB, size: 20 * GIB },
      { folders: ['BACKUP_DIR'], free: 4 * GIB, size: 20 * GIB },
    ]);
    expect(diskNotices(disks)).toEqual([
      { code: 'DISK_NEARLY_FULL', about: 'DATA_DIR, SEAL_DIR', detail: '1 GiB of 20 GiB free, 5%.' },
    ]);
  });

  it.each([
    [2, 8, 0],
    [1.9, 8, 1],
    [10, 100, 0],
    [9.9, 100, 1],
  ])('with %s of %s GiB free are %s', (free, size, count) => {
    expect(diskNotices([{ folders: ['DATA_DIR'], free: free * GIB, size: size * GIB }])).toHaveLength(count);
  });
});

describe('audit notices', () => {
  const terms = { now: NOW, startedAt: before(10), fullEveryDays: 31 };
  const verdict = (scope: 'whole' | 'daily', days: number, problems = 0) => ({
    scope,
    at: before(days),
    checks: 20,
    problems,
    finding: problems > 0 ? 'anita has 5.00 too much' : null,
  });
  const found = (known: Partial<Parameters<typeof auditNotices>[0]>, also: Partial<typeof terms> = {}) =>
    auditNotices({ first: undefined, whole: undefined, daily: undefined, ...known }, { ...terms, ...also }).map(
      ({ code, about }) => `${code} ${about}`,
    );

  it("remain after findings until a full audit passes, without the findings' text", () => {
    const daily = verdict('daily', 0.5, 2);
    expect(auditNotices({ first: before(20), daily, whole: verdict('whole', 1) }, terms)).toEqual([
      {
        code: 'AUDIT_FAILED',
        about: 'the daily balance check',
        since: daily.at.toISOString(),
        detail: 'It found 2 problems. The Liability page shows the first.',
      },
    ]);
    expect(found({ daily, whole: verdict('whole', 0.2) })).toEqual([]);
    expect(found({ daily: verdict('daily', 0.2), whole: verdict('whole', 1, 1) })).toEqual([
      'AUDIT_FAILED npm run audit',
    ]);
  });

  it('count as overdue from the last audit of their kind; the first full one, from the first day played', () => {
    const daily = verdict('daily', 1);
    expect(found({})).toEqual([]);
    expect(found({ daily, first: before(31) })).toEqual([]);
    expect(found({ daily, first: before(31.1) })).toEqual(['AUDIT_OVERDUE npm run audit']);
    expect(found({ daily, first: before(31.1) }, { fullEveryDays: 0 })).toEqual([]);
    expect(found({ daily, first: before(99), whole: verdict('whole', 30) })).toEqual([]);
    expect(found({ daily, first: before(99), whole: verdict('whole', 32) })).toEqual(['AUDIT_OVERDUE npm run audit']);
    const late = { daily: verdict('daily', 2.1), whole: verdict('whole', 3) };
    expect(found(late)).toEqual(['AUDIT_OVERDUE the daily balance check']);
    expect(found(late, { startedAt: new Date(NOW.getTime() - 60_000) })).toEqual([]);
  });
});

it('late draws and payments were already late at the previous check', () => {
  const lateOf = createLateWatch();
  const at = (draw: number, payment: number) =>
    lateOf(
      { draw: new Date(NOW.getTime() - draw * 1_000), payment: new Date(NOW.getTime() - payment * 1_000) },
      NOW,
    ).map(({ code, detail }) => `${code} ${detail}`);
  expect(at(16, 59)).toEqual([]);
  expect(at(31, 61)).toEqual(['DRAWS_LATE The longest delay is 31 seconds.']);
  expect(at(0, 76)).toEqual(['SETTLEMENT_LATE The longest delay is 76 seconds.']);
  expect(at(16, 0)).toEqual([]);
  expect(lateOf({ draw: null, payment: null }, NOW)).toEqual([]);
});

it('a clock jump is reported for a day, with its direction', () => {
  const details = (byMs: number, days = 0.5) =>
    clockNotices({ at: before(days), byMs }, NOW).map(({ detail }) => detail);
  expect(details(-90_000)).toEqual(['It went back by 90 seconds.']);
  expect(details(3_000)).toEqual(['It went forward by 3 seconds, or the machine was asleep.']);
  expect(details(3_000, 1)).toEqual([]);
  expect(clockNotices(undefined, NOW)).toEqual([]);
});

it('reports for a day that PostgreSQL restarted, or that a standby of any age took over', async () => {
  const restartsOf = createRestartWatch();
  const at = async (place: string, startedAt: Date, now = NOW): Promise<unknown[]> =>
    restartsOf({ query: async () => [{ at: startedAt, place }] as never }, now);
  expect(await at('a:1', before(3))).toEqual([]);
  expect(await at('a:1', before(0))).toMatchObject([{ detail: 'It restarted while this server was running.' }]);
  expect(await at('b:1', before(9))).toEqual([
    { code: 'DATABASE_RESTARTED', since: NOW.toISOString(), detail: 'b:1 took over from a:1.' },
  ]);
  expect(await at('b:1', before(9), before(-2))).toEqual([]);
});
