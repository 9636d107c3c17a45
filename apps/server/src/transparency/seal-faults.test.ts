import { randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { treeRoot } from '@drawhouse/rules/fair/tree/merkle';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp } from '../../test/harness.ts';
import { entriesFrom, makeSealsPlace, sealAll, withNewestLog } from '../../test/worlds/sealed-app.ts';
import { connect } from '../platform/db/database.ts';
import { CALL_TIMEOUTS } from '../platform/db/connection/timeouts.ts';
import { runSealing } from './seal/run/run-sealing.ts';
import type { SealLog } from './seal/seal-log.ts';
import { watchForStall } from './seal/run/seal-stall.ts';

let t: TestApp;
let place: Awaited<ReturnType<typeof makeSealsPlace>>;
let changes = 0;

beforeAll(async () => {
  t = await TestApp.start();
  await t.network();
});
afterAll(() => t.close());
beforeEach(async () => {
  place = await makeSealsPlace();
  await t.db.query('delete from seal_progress');
});
afterEach(() => place.remove());

async function change(): Promise<void> {
  await t.db.query("insert into pinned_settings (name, value) values ($1, 'x')", [`change ${++changes}`]);
}

async function rootOf(log: SealLog): Promise<string> {
  const entries = await entriesFrom(log, 0);
  return Buffer.from(treeRoot(entries.map((entry) => Buffer.from(entry)))).toString('hex');
}

async function tilesOf({ folder }: SealLog): Promise<Record<string, string>> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => path.includes('tile'));
  return Object.fromEntries(
    await Promise.all(paths.map(async (path): Promise<[string, string]> => [path, await readFile(path, 'hex')])),
  );
}

describe('a killed server', () => {
  it('before its writes count reseals them once, after the sealed records', async () => {
    await sealAll(t, place);
    await change();
    await withNewestLog(t, place, async ({ log }) => {
      await log.add(Array.from({ length: 700 }, (_, nth) => Buffer.from(`never sealed ${nth}\n`)));
    });
    await withNewestLog(t, place, async ({ log, look }) => {
      expect((await look()).added).toBe(1);
      expect((await entriesFrom(log, 0)).filter((entry) => entry.startsWith('never'))).toEqual([]);
      expect(log.state.root).toBe(await rootOf(log));
    });
    const bundles = await readdir(join(place.dir, '1', 'tile', 'entries'));
    expect(bundles.filter((name) => !name.endsWith('.p')).length).toBeLessThanOrEqual(1);
  });

  it('before the database knows its progress continues the same log', async () => {
    await sealAll(t, place);
    const [before] = await t.db.query('select * from seal_progress');
    await change();
    await sealAll(t, place);
    const { size, root, snapshot } = before as { size: bigint; root: Buffer; snapshot: string };
    await t.db.query('update seal_progress set size = $1, root = $2, snapshot = $3', [size, root, snapshot]);
    await change();
    await withNewestLog(t, place, async ({ log, look }) => {
      expect(await t.db.query('select size from seal_progress')).toEqual([{ size: BigInt(log.state.size) }]);
      expect((await look()).added).toBe(1);
      expect(log.origin).toBe('test/seals/1');
    });
  });

  it("leaves no temporary files: the next one removes them, sparing another server's", async () => {
    await sealAll(t, place);
    const folder = join(place.dir, '1');
    const cosigned = join(folder, 'witnesses');
    await mkdir(cosigned);
    const left = (file: string): string => `${file}.${randomUUID()}`;
    const [long, now] = [left('ab12.json'), left('ab12.json')];
    for (const file of [left('state.json'), left('checkpoint')]) await writeFile(join(folder, file), '{');
    for (const file of ['ab12.json', long, now]) await writeFile(join(cosigned, file), '{');
    const { mtimeMs } = await stat(join(cosigned, now));
    const twoHoursBefore = mtimeMs / 1_000 - 7_200;
    for (const file of ['ab12.json', long]) await utimes(join(cosigned, file), twoHoursBefore, twoHoursBefore);
    await change();
    await withNewestLog(t, place, async ({ look }) => expect((await look()).added).toBe(1));
    expect((await readdir(folder)).toSorted()).toEqual(['checkpoint', 'draws', 'state.json', 'tile', 'witnesses']);
    expect((await readdir(cosigned)).toSorted()).toEqual(['ab12.json', now]);
  });
});

describe('seal files', () => {
  it('stop sealing if torn', async () => {
    await sealAll(t, place);
    await withNewestLog(t, place, ({ log: { folder, state } }) =>
      writeFile(join(folder, 'tile', '0', '000.p', String(state.size % 256)), 'torn'),
    );
    await expect(sealAll(t, place)).rejects.toThrow('are damaged');
  });

  it('stop sealing if changed', async () => {
    await sealAll(t, place);
    await withNewestLog(t, place, ({ log: { folder, state } }) =>
      writeFile(join(folder, 'tile', '0', '000.p', String(state.size % 256)), Buffer.alloc(32 * (state.size % 256))),
    );
    await expect(sealAll(t, place)).rejects.toThrow('their root differs from the sealed one');
  });

  it('stop sealing if rolled back or lost, until a new log is begun, naming the old one', async () => {
    await sealAll(t, place);
    const copy = `${place.dir}-copy`;
    await cp(place.dir, copy, { recursive: true });
    for (const _ of [1, 2]) {
      await change();
      await sealAll(t, place);
    }
    await rm(place.dir, { recursive: true });
    await expect(sealAll(t, place)).rejects.toThrow('Sealing is stopped');
    await cp(copy, place.dir, { recursive: true });
    await rm(copy, { recursive: true });
    await expect(sealAll(t, place)).rejects.toThrow('Sealing is stopped');
    await withNewestLog(
      t,
      place,
      async ({ log, look }) => {
        expect((await look()).added).toBeGreaterThan(50);
        const [first] = await entriesFrom(log, 0);
        expect(first).toMatch(/^origins 1\n2\ttest\/seals\/1\tThe disk broke\.\ttest\/seals\/1\\n\d+\\n/);
        expect(log.state.root).toBe(await rootOf(log));
      },
      'The disk broke.',
    );
    await change();
    await withNewestLog(t, place, async ({ log, look }) => {
      expect(log.origin).toBe('test/seals/2');
      expect((await look()).added).toBe(1);
    });
  });
});

describe('sealing a database', () => {
  it.each([
    ['restored from an older copy', (before: Record<string, unknown>) => before],
    ['with changed seal heads', (now: Record<string, unknown>) => ({ ...now, root: Buffer.alloc(32) })],
  ])('%s, stops until a new log begins', async (_what, change_) => {
    await sealAll(t, place);
    const [before] = await t.db.query('select * from seal_progress');
    for (const _ of [1, 2]) {
      await change();
      await sealAll(t, place);
    }
    const { size, root, snapshot } = change_(before!) as { size: bigint; root: Buffer; snapshot: string };
    await t.db.query('update seal_progress set size = $1, root = $2, snapshot = $3', [size, root, snapshot]);
    await expect(sealAll(t, place)).rejects.toThrow('Sealing is stopped');
    await withNewestLog(
      t,
      place,
      async ({ log, look }) => {
        await look();
        expect(log.origin).toBe('test/seals/2');
        expect((await entriesFrom(log, 0))[0]).toContain('It was put back.');
      },
      'It was put back.',
    );
  });

  it('without knowledge of its seals does not start over', async () => {
    await sealAll(t, place);
    await t.db.query('delete from seal_progress');
    await expect(sealAll(t, place)).rejects.toThrow('the database has none');
  });

  it('copied from another cluster does not restart with each run', async () => {
    await t.db.query("update pinned_settings set value = value || '!' where name = 'installation'");
    await withNewestLog(t, place, async ({ look, on }) => {
      await look();
      await t.db.transaction(async (tx) => {
        await tx.query('set local session_replication_role = replica');
        await tx.query("update pinned_settings set written_by = '9000000000' where name = 'installation'");
      });
      expect((await look()).added).toBe(0);
      expect(await on.query('select from seal_progress')).toHaveLength(1);
    });
  });
});

describe('blocking the seals from the database is reported', () => {
  const withLock = (act: () => Promise<void>): Promise<void> =>
    t.served.transaction(async (tx) => {
      await tx.query('lock table landing_settings in access exclusive mode');
      await act();
    });

  it("a lock shows as the sealer's problem until a run completes", async () => {
    const messages: (string | undefined)[] = [];
    const stopping = new AbortController();
    const sealing = runSealing(
      {
        connectionString: async () => t.database.serverUrl,
        place,
        nowMs: () => 0,
        lockMs: 50,
        pause: async () => {},
        trouble: (error) => void messages.push(error?.message),
        unlogged: () => {},
        unpruned: () => {},
        signed: () => {},
      },
      stopping.signal,
    );
    try {
      await expect.poll(() => messages).toEqual([undefined]);
      await withLock(async () => {
        await expect.poll(() => messages.length).toBeGreaterThan(2);
      });
      await expect.poll(() => messages.at(-1)).toBeUndefined();
    } finally {
      stopping.abort();
      await sealing;
    }
    const lock = expect.stringContaining('A lock in the database blocks sealing') as unknown;
    expect(messages.slice(0, 3)).toEqual([undefined, lock, lock]);
  });

  it("neither locks nor false database state deceive another server's watch", async () => {
    await sealAll(t, place);
    let [nowMs, newest] = [0, 'the first checkpoint'];
    const hasty = connect(t.database.serverUrl, {
      onError: () => {},
      poolSize: 1,
      patience: { ...CALL_TIMEOUTS, lockMs: 50 },
    });
    try {
      const watch = watchForStall(
        hasty,
        () => newest,
        () => nowMs,
      );
      const lookFor = async (ms: number): Promise<string | undefined> => {
        for (const end = nowMs + ms; nowMs < end; nowMs += 10_000) await watch.look();
        return watch.trouble();
      };
      expect(await lookFor(40_000)).toBeUndefined();
      await withLock(async () => {
        expect(await lookFor(30_000)).toBeUndefined();
        expect(await lookFor(10_000)).toContain('not being sealed');
      });
      expect(await lookFor(10_000)).toBeUndefined();

      await t.served.query("update seal_progress set snapshot = '9000000000:9000000000:'");
      newest = 'the second checkpoint';
      await watch.look();
      await change();
      expect(await lookFor(40_000)).toContain('not being sealed');
      await sealAll(t, place);
      newest = 'the third checkpoint';
      expect(await lookFor(10_000)).toBeUndefined();
    } finally {
      await hasty.close();
    }
  });
});

it('a full tile replaces its partial ones', async () => {
  await sealAll(t, place);
  const folder = join(place.dir, '1', 'tile', '0');
  expect(await readdir(folder)).toContain('000.p');
  await t.db.query("insert into pinned_settings select 'many ' || nth, 'x' from generate_series(1, 256) as nth");
  await sealAll(t, place);
  expect((await readdir(folder)).toSorted()).toEqual(['000', '001.p']);
});

it('a sealer delayed during writes harms nothing of its successor', async () => {
  await sealAll(t, place);
  await withNewestLog(t, place, async (late) => {
    await withNewestLog(t, place, async (next) => {
      await late.log.add([Buffer.from('held up\n')]);
      await change();
      await expect(next.look()).rejects.toThrow('Another process is sealing');
    });
    await withNewestLog(t, place, async ({ look }) => expect((await look()).added).toBe(1));
    await expect(late.log.seal('3:3:')).rejects.toThrow('Another process is sealing');
  });
  await withNewestLog(t, place, async ({ log, look }) => {
    await change();
    expect((await look()).added).toBe(1);
    expect(log.state.root).toBe(await rootOf(log));
    expect((await entriesFrom(log, 0)).filter((entry) => entry.startsWith('held'))).toEqual([]);
  });
});

it('two sealers of one log by mistake do not undo each other', async () => {
  await sealAll(t, place);
  await withNewestLog(t, place, async (late) => {
    await change();
    await sealAll(t, place);
    await change();
    const tiles = await tilesOf(late.log);
    await expect(late.look()).rejects.toThrow('Another process is sealing');
    expect(await tilesOf(late.log)).toEqual(tiles);
  });
  await withNewestLog(t, place, async ({ log, look }) => {
    expect((await look()).added).toBe(1);
    expect(log.state.root).toBe(await rootOf(log));
  });
});
