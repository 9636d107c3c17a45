import { describe, expect, it } from 'vitest';
import type { StoredVerdict } from '../../liability/verdicts.ts';
import { judgeVerdicts } from './check-books.ts';
import { judgeBackups, type NetworkBackups } from './check-backups.ts';
import { addressOf, judgeRoom, judgeTimes } from './check-machine.ts';
import { judgeCluster, judgeMigrations, judgeVersion } from './check-database.ts';
import type { HostState } from '../../platform/db/connection/read-cluster.ts';
import { checkNode } from './examine.ts';
import { readSettings } from './surroundings.ts';
import { explained } from '../../platform/db/connection/unavailable.ts';
import { type Finding, reasonOf } from './findings.ts';

const NOW = new Date('2026-11-26T12:00:00.000Z');
const DAY_MS = 86_400_000;
const ago = (days: number): Date => new Date(NOW.getTime() - days * DAY_MS);
const short = (findings: readonly Finding[]): string[] => findings.map(({ state, says }) => `${state}: ${says}`);

describe('settings', () => {
  it('are checked past each error', () => {
    const { config, wrong, findings } = readSettings({
      PORT: 'eighty',
      HOST: '0.0.0.0',
      DATABASE_OWNER_URL: 'postgres://owner@somewhere/drawhouse',
      SEED_KEY: 'abc',
      SEED_KEY_FILE: 'some/file',
      BACKUP_TRANSFER_URL: 'sftp://user@host/backups',
      SEAL_DRI: 'seals',
    });
    expect([config.port, config.host]).toEqual([3000, '0.0.0.0']);
    expect([...wrong].toSorted()).toEqual(['BACKUP_TRANSFER_URL', 'DATABASE_OWNER_URL', 'PORT', 'SEED_KEY']);
    expect(short(findings)).toEqual([
      'fault: PORT must be a whole number from 0 to 65535.',
      "fault: DATABASE_OWNER_URL needs DATABASE_URL: the same database, for the server's role.",
      expect.stringMatching(/^fault: BACKUP_TRANSFER_HOST_KEY is missing/),
      'fault: SEED_KEY and SEED_KEY_FILE are both set. Set only one of them.',
      'warning: SEAL_DRI is not a setting and has no effect.',
    ]);
    expect(findings.at(-1)!.todo).toBe('Did you mean SEAL_DIR?');
  });

  it('are reported as fine', () => {
    expect(short(readSettings({ HOST: '0.0.0.0', PATH: '/bin' }).findings)).toEqual(['ok: Set and valid: HOST.']);
    expect(short(readSettings({}).findings)).toEqual(['ok: All are defaults.']);
  });
});

it.each([
  ['14.20', 'fault'],
  ['15.1', 'ok'],
  ['18.4', 'ok'],
  ['19beta1', 'warning'],
])('PostgreSQL %s is %s', (version, state) => {
  expect(judgeVersion(version, NOW, 'It').state).toBe(state);
});

it("PostgreSQL's end of support is announced before and after", () => {
  expect(judgeVersion('15.1', new Date('2027-09-01'), 'It').says).toMatch(/supported until 2027-11-11/);
  expect(judgeVersion('15.1', new Date('2027-12-01'), 'It').says).toMatch(/out of support since 2027-11-11/);
});

it("Node's end of support is announced too", () => {
  const state = (version: string, now = NOW) => checkNode(version, now)[0]!.state;
  expect([state('22.3.0'), state('24.21.0'), state('30.0.0'), state('24.21.0', new Date('2028-06-01'))]).toEqual([
    'fault',
    'ok',
    'ok',
    'warning',
  ]);
});

it.each([
  [10, 50, 9_000, 'ok'],
  [4.9, 50, 9_000, 'warning'],
  [1.9, 8, 9_000, 'warning'],
  [0.1, 8, 9_000, 'fault'],
  [10, 50, 900, 'warning'],
])('a disk with %s of %s GiB free, and %s files, is judged like notices do', (free, size, moreFiles, state) => {
  const judged = judgeRoom('DATA_DIR', { free: free * 2 ** 30, size: size * 2 ** 30, moreFiles });
  expect(judged.state).toBe(state);
});

const OWN = ['0001-a', '0002-b', '0003-c'];
it.each([
  [[], 'warning', 'is empty'],
  [OWN, 'ok', 'All 3 are applied'],
  [['0001-a', '0002-b'], 'warning', '1 of 3 are pending: 0003-c'],
  [[...OWN, '0004-d'], 'fault', 'a later version. It has 0004-d'],
  [['0001-a', '0002-x', '0003-c'], 'fault', 'other migrations than this version: 0002-x'],
  [['0001-a', '0003-c', '0002-b'], 'fault', 'or has them in another order'],
  [['0001-a', '0003-c'], 'fault', 'or has them in another order'],
  [['0000-old'], 'fault', 'before the first release'],
])('migrations %j are described as %s', (had, state, says) => {
  expect(judgeMigrations(had, OWN)).toMatchObject({ state, says: expect.stringContaining(says) });
});

it.each([
  [{ aheadMs: 0, newest: ago(1) }, ['ok']],
  [{ aheadMs: -1_500, newest: undefined }, ['ok']],
  [{ aheadMs: 3_000, newest: ago(1) }, ['warning']],
  [{ aheadMs: -90_000, newest: ago(1) }, ['fault']],
  [{ aheadMs: 0, newest: ago(-1) }, ['fault']],
  [{ aheadMs: 0, newest: new Date(NOW.getTime() + 3_000) }, ['ok']],
])('a clock %j is described as %j', (times, states) => {
  expect(judgeTimes({ now: NOW, ...times }).map(({ state }) => state)).toEqual(states);
});

const verdict = (days: number, problems = 0): StoredVerdict => ({
  scope: 'whole',
  at: ago(days),
  checks: 40,
  problems,
  finding: problems > 0 ? 'account anna is wrong' : null,
});
it.each([
  [{ whole: undefined, daily: undefined }, ['warning: No full']],
  [{ whole: verdict(3), daily: verdict(1) }, ['ok: The last full audit, 3 days ago']],
  [{ whole: verdict(40), daily: verdict(1) }, ['warning: The last full audit was 40 days ago']],
  [{ whole: verdict(3, 2), daily: verdict(1) }, ['fault: The last full audit, 3 days ago']],
  [{ whole: verdict(3), daily: verdict(1, 1) }, ['fault: The daily balance check', 'ok: The last full']],
  [{ whole: verdict(1), daily: verdict(2, 1) }, ['ok: The last full']],
  [{ whole: verdict(1), daily: verdict(5) }, ['warning: The last daily balance check', 'ok: The last full']],
])('verdicts %# are described as %j', (verdicts, says) => {
  const found = judgeVerdicts(verdicts, { now: NOW, isRunning: true, fullEveryDays: 31 });
  expect(short(found)).toEqual(says.map((one) => expect.stringContaining(one)));
  // Names are kept apart.
  expect(found.map((finding) => finding.says).join()).not.toContain('anna');
});

const backups = (username: string, taken: number | undefined, trouble?: string): NetworkBackups => {
  const one = { manifest: { takenAt: taken === undefined ? '' : ago(taken).toISOString() } };
  const right = taken === undefined ? [] : ([one] as never);
  return { networkId: 1, username, all: right, right, trouble };
};
const DAILY = { weekday: undefined, atMs: 0, keep: 7, keepDays: undefined };
it.each([
  [[backups('anna', 1), backups('bert', 3)], undefined, [['ok', undefined]]],
  [
    [backups('anna', undefined), backups('bert', 30)],
    undefined,
    [
      ['warning', ['anna']],
      ['warning', [expect.stringContaining('bert: ')]],
    ],
  ],
  [[backups('anna', undefined)], DAILY, [['warning', ['anna']]]],
  [[backups('anna', 30, 'no room'), backups('bert', 1)], DAILY, [['fault', ['anna: no room']]]],
])('backups %# name the networks without one', (networks, backupPlan, expected) => {
  const found = judgeBackups(networks, { backupPlan }, NOW, 'UTC');
  expect(found.map(({ state, about }) => [state, about])).toEqual(expected);
  expect(found.map(({ says, todo }) => says + todo).join()).not.toMatch(/anna|bert/);
});

it('a name with several dead addresses lists each failure', () => {
  const refused = ['::1', '127.0.0.1'].map((host) => new Error(`connect ECONNREFUSED ${host}:5432`));
  const error = (of: Error[]) => explained(Object.assign(new AggregateError(of), { code: 'ECONNREFUSED' }));
  expect(reasonOf(error(refused))).toBe(
    'The database did not answer: connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432',
  );
  expect(reasonOf(error([]))).toBe('The database did not answer: ECONNREFUSED');
});

it('judges a cluster by its primary, its standbys and what commits wait for', () => {
  const host = (name: string, role: HostState['role'], more: Partial<HostState> = {}): HostState => ({
    host: name,
    role,
    behindBytes: role === 'standby' ? 0 : undefined,
    waitsFor: '',
    trouble: '',
    ...more,
  });
  const primary = host('a:5432', 'primary', { waitsFor: '"b"' });
  expect(judgeCluster([])).toEqual([]);
  expect(short(judgeCluster([host('b:5432', 'standby', { behindBytes: 7 }), primary]))).toEqual([
    'ok: a:5432 is the primary; b:5432 is a standby, 7 bytes behind.',
  ]);
  expect(short(judgeCluster([primary, host('b:5432', 'unreachable', { trouble: 'refused' })]))).toEqual([
    'warning: b:5432 does not answer: refused.',
    'ok: a:5432 is the primary.',
  ]);
  expect(short(judgeCluster([host('a:5432', 'primary')]))[0]).toMatch(/^warning: Commits wait for no standby/);
  expect(short(judgeCluster([primary, host('b:5432', 'primary')]))[0]).toBe(
    'fault: a:5432 and b:5432 are both primaries.',
  );
});

it('reaches a host of any kind, also one that stands for all of the machine', () => {
  const reached = (host: string): string => addressOf({ host, port: 3000 });
  expect(['10.0.0.5', '0.0.0.0', '::', 'fd00::5', 'cell-1'].map(reached)).toEqual([
    'http://10.0.0.5:3000',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'http://[fd00::5]:3000',
    'http://cell-1:3000',
  ]);
});
