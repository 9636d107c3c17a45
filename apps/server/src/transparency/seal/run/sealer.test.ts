import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeAsSystem } from '../../../../test/tampering/change-as-system.ts';
import { TestApp, type Network } from '../../../../test/harness.ts';
import { entriesFrom, makeSealsPlace, withNewestLog } from '../../../../test/worlds/sealed-app.ts';

let t: TestApp;
let net: Network;
let place: Awaited<ReturnType<typeof makeSealsPlace>>;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network();
  place = await makeSealsPlace();
});
afterAll(async () => {
  await t.close();
  await place.remove();
});

const kindsOf = (entries: readonly string[]): string[] => entries.map((entry) => entry.split(' ')[0]!);

describe('the sealer', () => {
  it('seals everything once', async () => {
    await withNewestLog(t, place, async ({ log, look }) => {
      expect((await look()).added).toBeGreaterThan(50);
      expect((await look()).added).toBe(0);
      const entries = await entriesFrom(log, 0);
      expect(entries.filter((entry) => entry.startsWith('accounts 1\n'))).toHaveLength(6);
      expect(new Set(entries).size).toBe(entries.length);
    });
  });

  it('continues after a restart and seals only additions', async () => {
    await withNewestLog(t, place, async ({ log, look }) => {
      await look();
      const before = log.state.size;
      expect((await t.bet(net.user, { 3: 2 })).status).toBe(201);
      await look();
      expect(kindsOf(await entriesFrom(log, before))).toEqual(['batches']);
    });
  });

  it('misses no late commit', async () => {
    const insert = (name: string): [string, string[]] => [
      "insert into pinned_settings (name, value) values ($1, 'x')",
      [name],
    ];
    await withNewestLog(t, place, async ({ log, look }) => {
      await look();
      const before = log.state.size;
      await t.db.transaction(async (late) => {
        await late.query(...insert('late'));
        await t.db.transaction((early) => early.query(...insert('early')));
        expect((await look()).added).toBe(1);
      });
      expect((await look()).added).toBe(1);
      expect((await look()).added).toBe(0);
      expect(await entriesFrom(log, before)).toEqual(['pinned_settings 1\nearly\tx\n', 'pinned_settings 1\nlate\tx\n']);
    });
  });

  it('seals each version of changing rows, but no counters', async () => {
    await withNewestLog(t, place, async ({ log, look }) => {
      await look();
      const before = log.state.size;
      const ofPlayer = (set: string): Promise<unknown> =>
        t.db.query(`update accounts set ${set} where id = $1`, [net.user._id]);
      await ofPlayer('last_login_at = now()');
      await ofPlayer('note = note');
      expect((await look()).added).toBe(0);
      await ofPlayer("note = 'a'");
      await look();
      await ofPlayer("note = 'b'");
      await look();
      const added = await entriesFrom(log, before);
      const notes = added.filter((entry) => entry.startsWith('accounts')).map((entry) => entry.split('\t')[12]);
      expect(notes).toEqual(['a', 'b']);
      await ofPlayer("note = ''");
    });
  });

  it('stores only a hash of a password hash', async () => {
    await withNewestLog(t, place, async ({ log }) => {
      const [row] = await t.db.query<{ password_hash: string }>('select password_hash from accounts where id = $1', [
        net.user._id,
      ]);
      expect((await entriesFrom(log, 0)).join('')).not.toContain(row!.password_hash);
    });
  });

  it('records removals of other rows', async () => {
    await withNewestLog(t, place, async ({ log, look }) => {
      await look();
      const before = log.state.size;
      await t.db.query("insert into times (id, seconds) values ('019cd730-6900-7035-800e-a8bac7f44d81', 77)");
      await look();
      await t.db.query('delete from times where seconds = 77');
      await look();
      const entries = await entriesFrom(log, before);
      const [added, removed] = entries.filter((entry) => !entry.startsWith('unlogged'));
      expect(added).toBe('times 1\n019cd730-6900-7035-800e-a8bac7f44d81\t77\n');
      expect(removed).toMatch(/^removals 1\n\d+\ttimes\t019cd730-6900-7035-800e-a8bac7f44d81\n$/);
    });
  });

  it('also seals rows added, changed or removed without a log row', async () => {
    await withNewestLog(t, place, async ({ log, look }) => {
      await look();
      const before = log.state.size;
      const unlogged: number[] = [];
      const [one, other] = ['019cd730-6900-7035-800e-a8bac7f44d82', '019cd730-6900-7035-800e-a8bac7f44d83'];
      const act = async (how: (statements: string[]) => Promise<unknown>, ...statements: string[]): Promise<void> => {
        await how(statements);
        unlogged.push((await look()).unlogged);
      };
      const past = (statements: string[]): Promise<unknown> => t.db.query(statements.join(';'));
      const asSystem = (statements: string[]): Promise<void> => changeAsSystem(t.database.ownerUrl, statements);
      await act(past, `insert into times (id, seconds) values ('${one}', 78)`);
      await act(asSystem, `update times set seconds = 79 where id = '${one}'`);
      await act(asSystem, `insert into times (id, seconds) values ('${other}', 80)`);
      await act(
        past,
        `delete from times where id in ('${one}', '${other}')`,
        "update accounts set note = 'c' where role = 'user'",
      );
      expect(unlogged).toEqual([1, 0, 0, 3]);
      const entries = (await entriesFrom(log, before)).filter((entry) => entry.startsWith('unlogged 1\n'));
      expect(entries.map((entry) => entry.split(/\s/).slice(2, 4).join(' ')).toSorted()).toEqual([
        `accounts ${net.user._id}`,
        `times ${one}`,
        ...[one, other].map((id) => `times ${id}`),
      ]);
    });
  });

  it('ignores a momentarily faked change', async () => {
    await withNewestLog(t, place, async ({ look }) => {
      await look();
      const { networkId, distributor } = net;
      const [later, soon] = ["written_by = '9000000000000000000'", 'written_by = pg_current_xact_id()'];
      const ofDistributor = (set: string): string => `update accounts set ${set} where id = '${distributor._id}'`;
      const madeUp: [string, string][] = [
        [
          `insert into clearings (written_by, started_at, starts_at, ends_at, id, account_id, network_id, username, model, backup)
           values ('9000000000000000000', now(), '2000-01-01', now(), gen_random_uuid(), gen_random_uuid(), ${networkId}, '',
            'ticket', '')`,
          'delete from clearings',
        ],
        [
          `insert into activity (network_id, seq, at, id, chain, username, subject, url, method, ip, hash)
           select 99, 1, at, id, chain, username, subject, url, method, ip, hash from activity order by seq limit 1`,
          'delete from activity where network_id = 99',
        ],
        [`update networks set ${later}`, "update networks set written_by = '3'"],
        // A log row never explains itself.
        [`update networks set ${soon} where id = ${networkId}`, "update networks set written_by = '3'"],
        [`update activity set ${later}`, "update activity set written_by = '3'"],
        [ofDistributor('network_id = 99'), ofDistributor(`network_id = ${networkId}`)],
      ];
      const found: number[] = [];
      for (const [madeUpFor, undo] of madeUp) {
        await t.db.transaction(async (tx) => {
          await tx.query('set local session_replication_role = replica');
          await tx.query(madeUpFor);
          await tx.query(ofDistributor(`note = note || '.', ${soon}`));
        });
        found.push((await look()).unlogged);
        await t.byHand(undo);
        await look();
      }
      expect(found).toEqual(madeUp.map(() => 1));
    });
  });

  it('continues whatever keys are claimed removed', async () => {
    await withNewestLog(t, place, async ({ look }) => {
      await look();
      await t.db.query(
        "insert into removals (of_table, key) values ('network_games', 'x'), ('times', repeat('x', 70000))",
      );
      expect(await look()).toMatchObject({ added: 4, unlogged: 2 });
    });
  });

  it('signs a checkpoint at once for draws, otherwise every ten seconds', async () => {
    await withNewestLog(t, place, async ({ look }) => {
      await look();
      await t.db.query("update pinned_settings set value = 'y' where name = 'late'");
      expect(await look()).toEqual({ added: 1, unlogged: 0, checkpoint: undefined });
      expect((await look(9_999)).checkpoint).toBeUndefined();
      expect(await look(10_000)).toEqual({
        added: 0,
        unlogged: 0,
        checkpoint: expect.stringContaining('test/seals/1\n'),
      });
      expect((await look(30_000)).checkpoint, 'nothing is new').toBeUndefined();
      await t.db.query("update pinned_settings set value = 'z' where name = 'late'");
      expect((await look(30_000)).checkpoint, 'the last one is ten seconds old').toBeDefined();
      await t.db.query("update draws set closes_at = closes_at + interval '1 ms' where network_id = $1", [
        net.networkId,
      ]);
      expect((await look(30_001)).checkpoint).toContain('test/seals/1\n');
    });
  });
});
