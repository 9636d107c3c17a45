import { execFile } from 'node:child_process';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseNoteKey } from '@drawhouse/tlog/note-keys';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../../test/harness.ts';
import { runAudit } from '../../test/processes/server-process.ts';
import { changeLastByte } from '../../test/tampering/full-tile-seals.ts';
import { makeSealsPlace, sealAll } from '../../test/worlds/sealed-app.ts';
import { acquireNamedLock } from '../platform/db/connection/hold-lock.ts';
import { SEALS } from './seal/run/run-sealing.ts';
import { beginLog, verify } from './transparency.ts';
import { findingsToRecord } from './verify/audit-seals.ts';
import { readSealsWish } from '../commands/run-seals.ts';
import { readConfig } from '../config/config.ts';
import { ensureSealKey } from './seal/seal-key.ts';
import { logsIn, newestBegunLog } from './seal/seal-log.ts';

const SCRIPT = fileURLToPath(new URL('../commands/run-seals.ts', import.meta.url));
const KEY = 'ab'.repeat(32);

describe('npm run seals', () => {
  it('parses its arguments', () => {
    for (const args of [[], ['show']]) expect(readSealsWish(args)).toEqual({ what: 'show' });
    expect(readSealsWish(['begin', '--because', ' The disk broke. '])).toEqual({
      what: 'begin',
      because: 'The disk broke.',
    });
  });

  it.each([
    [['tell'], 'Choose show or begin.'],
    [['--because', 'x'], '--because is only for begin.'],
    [['show', 'more'], 'Choose show or begin.'],
    [['begin'], 'Give the reason for a new log'],
    [['begin', '--because', '  '], 'Give the reason for a new log'],
    [['show', '--because', 'x'], '--because is only for begin.'],
  ])('refuses %j', (args, why) => {
    expect(() => readSealsWish(args)).toThrow(why);
  });
});

describe('npm run seals on a database', () => {
  let t: TestApp;
  let place: Awaited<ReturnType<typeof makeSealsPlace>>;
  beforeAll(async () => {
    t = await TestApp.start();
    const { signer } = await ensureSealKey({ sealKey: KEY, sealKeyFile: undefined, dataDir: '' });
    place = { ...(await makeSealsPlace()), signer };
  });
  afterAll(async () => {
    await t.close();
    await place.remove();
  });

  const config = (): Parameters<typeof verify>[0] =>
    readConfig({ SEAL_DIR: place.dir, SEAL_KEY: KEY, SEAL_NAME: place.name });

  async function run(...args: string[]): Promise<string> {
    const env = {
      ...process.env,
      DATABASE_URL: t.database.serverUrl,
      DATABASE_OWNER_URL: t.database.ownerUrl,
      SEAL_DIR: place.dir,
      SEAL_KEY: KEY,
      SEAL_NAME: place.name,
    };
    const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, ...args], { env });
    return stdout;
  }

  it('starts a new log if files are lost, and shows it', async () => {
    expect(await run('show')).toContain('There are no seals');
    await sealAll(t, place);
    await rm(place.dir, { recursive: true });
    expect(await run('begin', '--because', 'The disk broke.')).toMatch(
      /^The new log .* name these differences:\n  - the database has \d+ sealed records of the log 1[^]*\nStarted test\/seals\/2 and sealed \d+ records\./,
    );
    const [key, origin] = (await run('show')).split('\n');
    expect(parseNoteKey(key!)?.name).toBe('test/seals/2');
    expect(origin).toBe('test/seals/2');
    await sealAll(t, place);
  });

  it('names changed rows after every later start, even after a killed one', async () => {
    await t.byHand(
      "insert into pinned_settings (name, value, written_by) select 'n' || n, 'x', '3' from generate_series(1, 300) as n",
    );
    await mkdir(join(place.dir, '3'));
    for (const nth of [4, 5]) {
      const printed = await run('begin', '--because', 'To hide it.');
      expect(printed).toContain('- pinned_settings (name n7) was added without being sealed\n');
      expect(printed).toContain(`Started test/seals/${nth} `);
    }
  });

  it('starts one although a file and a record of the last are unreadable, and names changed rows still', async () => {
    const tile = join(place.dir, '5/tile/0/000');
    await rm(tile);
    await mkdir(tile);
    await changeLastByte(join(place.dir, '5/tile/entries/000'));
    await t.byHand("insert into pinned_settings (name, value, written_by) values ('late', 'x', '3')");
    const printed = await run('begin', '--because', 'The disk is broken.');
    expect(printed).toContain('- pinned_settings (name n7) was added without being sealed\n');
    expect(printed).toContain('- pinned_settings (name late) was added without being sealed\n');
    const { found, lost } = findingsToRecord(await verify(config(), t.database.serverUrl));
    expect(found).toContain('pinned_settings (name late) was added without being sealed');
    expect(found).toContain("record 255 can't be read");
    expect(lost).toContainEqual(expect.stringMatching(/tile\/0\/000 is missing, unreadable or too short$/));
    expect(lost).toContain(`1 files could not be read: EISDIR, first ${tile}`);
  });

  it('takes a later log with unreadable files for the newest', async () => {
    await symlink('7', join(place.dir, '7'));
    expect(await newestBegunLog(place.dir, [])).toBe(7);
    await rm(join(place.dir, '7'));
  });

  it('keeps the findings of the books if the seals cannot be audited', async () => {
    const { code, output } = await runAudit(place.dir, { DATABASE_URL: t.database.serverUrl, SEAL_DIR: SCRIPT });
    expect(output).toMatch(/^ok {5}[^]*\nWRONG {2}the seals can be audited .*\n {7}- ENOTDIR/);
    expect(code).toBe(1);
    expect(await t.db.query('select problems from audit_verdicts')).toEqual([{ problems: 1 }]);
  });

  /** Ends the connection that audits the seals. */
  async function losingDatabase<T>(act: () => Promise<T>): Promise<T> {
    const acting = t.db.transaction(async (tx) => {
      await tx.query('lock table seal_progress in access exclusive mode');
      const ended = act();
      const end =
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'relation'";
      await expect.poll(() => t.db.query(end)).toHaveLength(1);
      return { ended };
    });
    return (await acting).ended;
  }

  it('keeps no verdict if the audit loses the database', async () => {
    const before = await t.db.query('select id from audit_verdicts');
    const env = { DATABASE_URL: t.database.serverUrl, SEAL_DIR: place.dir };
    const { code, output } = await losingDatabase(() => runAudit(place.dir, env));
    expect(output).toMatch(/^ok {5}[^]*\nWRONG {2}the seals can be audited .*\n {7}- .*terminat/);
    expect(code).toBe(1);
    expect(await t.db.query('select id from audit_verdicts')).toEqual(before);
  });

  it('starts none if the audit loses the database', async () => {
    const before = await logsIn(place.dir);
    const begin = () =>
      beginLog(config(), t.database.serverUrl, { because: 'An outage.', audited: () => {} }).then(
        () => 'began',
        (error: Error) => error.message,
      );
    expect(await losingDatabase(begin)).toContain('terminat');
    expect(await logsIn(place.dir)).toEqual(before);
  });

  it('starts one although a failing server takes the lock in between', async () => {
    await rm(place.dir, { recursive: true });
    const lock = (await acquireNamedLock(t.database.serverUrl, SEALS))!;
    const begun = run('begin', '--because', 'A restore to a moment.');
    await expect
      .poll(() =>
        t.db.query(
          "select from pg_stat_activity where application_name = 'drawhouse lock' and datname = current_database()",
        ),
      )
      .toHaveLength(2);
    await lock.release();
    expect(await begun).toMatch(/and sealed \d+ records\./);
  });
});
