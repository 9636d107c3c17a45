import { EventEmitter } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PATIENT } from '../../../test/busy-machine.ts';
import { startReplicatedPair, type ReplicatedPair } from '../../../test/processes/standby.ts';
import { ask } from '../../../test/test-databases.ts';
import { connect, type Database } from '../db/database.ts';
import { chooseReader, type ReportServices } from './read-report.ts';

let pair: ReplicatedPair;
let db: Database;
let standby: Database;
let nowMs = Date.now();

beforeAll(async () => {
  pair = await startReplicatedPair({ isSynchronous: false });
  db = connect(pair.primary.ownerUrl, { onError: () => {}, ...PATIENT });
  standby = connect(pair.standby.ownerUrl, { onError: () => {}, ...PATIENT, readOnly: true });
  await db.query('create table notes (text text)');
});
afterAll(async () => {
  await Promise.all([db.close(), standby.close()]);
  await pair.stop();
});

const services = (): ReportServices => ({
  db,
  standby,
  clock: { now: () => new Date(nowMs) },
  newId: () => '',
  events: new EventEmitter(),
  timeZone: 'UTC',
});

it('reads a current standby, one slightly behind with its own time, and otherwise the primary', async () => {
  expect(await chooseReader({ ...services(), standby: undefined })).toEqual({ db, freshness: undefined });

  const isCurrent = async (): Promise<boolean> => {
    const { freshness } = await chooseReader(services());
    return freshness?.from === 'standby' && freshness.asOf === new Date(nowMs).toISOString();
  };
  await expect.poll(isCurrent).toBe(true);

  await ask(pair.standby.ownerUrl, 'select pg_wal_replay_pause()');
  await ask(pair.primary.ownerUrl, "insert into notes values ('not replayed')");
  const [row] = await standby.query<{ at: Date }>('select pg_last_xact_replay_timestamp() as at');
  nowMs = row!.at.getTime() + 30_000;
  expect(await chooseReader(services())).toMatchObject({
    db: standby,
    freshness: { from: 'standby', asOf: row!.at.toISOString() },
  });

  nowMs += 1_001;
  const primary = { db, freshness: { from: 'primary', asOf: new Date(nowMs).toISOString() } };
  expect(await chooseReader(services())).toMatchObject(primary);

  pair.standby.kill();
  expect(await chooseReader(services())).toMatchObject(primary);
});
