import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeAsSystem } from '../../../test/tampering/change-as-system.ts';
import { playNetwork } from '../../../test/worlds/audit-world.ts';
import { TestApp } from '../../../test/harness.ts';
import { pieces } from '../../../test/worlds/sealed-draws.ts';
import { TestSeals } from '../../../test/worlds/sealed-world.ts';
import { copySnapshot } from '../../platform/db/sql/copy-rows.ts';
import { auditSeals } from './audit-seals.ts';

let t: TestApp;
let seals: TestSeals;

beforeAll(async () => {
  t = await TestApp.start();
  seals = await TestSeals.make(t.database);
  await playNetwork(t);
}, 300_000);
afterAll(async () => {
  await t.close();
  await seals.remove();
});

it('without seals the audit says so', async () => {
  const [check] = await seals.audit();
  expect(check).toMatchObject({ rows: 0, problems: [], unproven: [expect.stringMatching(/^nothing is sealed/)] });
});

describe('the audit with seals', () => {
  beforeAll(async () => {
    await seals.seal();
  });

  it.each<[string, number, RegExp]>([
    ["a ticket's stake", 7, /ticket .* has a stake of \d+ hundredths; \d+ were taken for it/],
    ["a draw's collection", 9, /draw .* was settled with stakes of \d+ hundredths; \d+ were collected/],
    ["a ticket's win", 10, /ticket .* won \d+ hundredths and was paid \d+/],
    ['a commission', 11, /earned \d+ hundredths of commission in draw .* and was paid \d+/],
  ])('%s is not sealed itself, and other checks detect its change', async (_what, kind, expected) => {
    const { sealed, rest } = await seals.foundAfter(
      `update transfers set amount = amount + 1 where ctid = (select min(ctid) from transfers where kind = ${kind})`,
      { withRest: true },
    );
    expect(sealed).toEqual([]);
    expect(rest).toContainEqual(expect.stringMatching(expected));
  });
});

describe('compares ended logs with the database', () => {
  const where = { ticket: '', transfer: '' };
  beforeAll(async () => {
    await rm(seals.dir, { recursive: true });
    await t.db.query('delete from seal_progress');
    await t.db.query("insert into times (id, seconds) values ('00000000-0000-7000-8000-000000000077', 77)");
    await seals.seal();
    const [row] = await t.db.query<typeof where>(
      `select (select min(ctid)::text from tickets) as ticket, (select min(ctid)::text from transfers where kind = 3) as transfer`,
    );
    Object.assign(where, row);
  });

  it('accepts legitimate changes and removals', async () => {
    await t.db.query("update games set description = description || '.'; delete from times where seconds = 77");
    await seals.seal('To see.');
    expect(await seals.problems()).toEqual([]);
    await changeAsSystem(t.database.ownerUrl, ["update games set description = description || '!'"]);
    await seals.seal();
    expect(await seals.problems()).toEqual([]);
  });

  it('names changes made before the next log began', async () => {
    for (const change of [
      "update games set unit_price = unit_price + 1 where game_key = 'funtargetbingo'",
      `update tickets set ip = '9.9.9.9', written_by = pg_current_xact_id() where ctid = '${where.ticket}'`,
      `delete from transfers where ctid = '${where.transfer}'`,
      "insert into pinned_settings (name, value, written_by) values ('never', 'x', '3')",
    ])
      await t.byHand(change);
    await seals.seal('Somebody said so.');
    const found = await seals.problems();
    const of2 = String.raw`the log test/seals/2$`;
    for (const says of [
      String.raw`^games \(id .*\) was changed after it was sealed, as record \d+ of ${of2}`,
      String.raw`^tickets \(.*\) was removed after it was sealed, as record \d+ of ${of2}`,
      String.raw`^tickets \(.*\) was removed after it was sealed, as record \d+ of the log test/seals/1$`,
      String.raw`^transfers \(.*\) was removed after it was sealed, as record \d+ of ${of2}`,
      String.raw`^pinned_settings \(name never\) was added without being sealed in ${of2}`,
    ])
      expect(found).toContainEqual(expect.stringMatching(new RegExp(says)));
  });
});

it('a change bypassing the log is detected forever, even if overwritten by a logged one', async () => {
  const { ownerUrl } = t.database;
  const change = (of: string): string => `update games set description = '${of}' where game_key = 'funtargetbingo'`;
  await t.db.query(change('past it'));
  await seals.seal();
  await changeAsSystem(ownerUrl, [change('with it')]);
  await seals.seal();
  expect(await seals.problems()).toContainEqual(
    expect.stringMatching(
      /^games \(id [-\w]+\) was changed by transaction \d+, according to record \d+, without a log row/,
    ),
  );
  const { rest } = await seals.foundAfter('', { withRest: true });
  expect(rest.filter((problem) => problem.startsWith('the game'))).toEqual([]);
});

describe('a server pruning during the audit', () => {
  const DRAWS = ['00000000-0000-7000-8000-0000000000d1', '00000000-0000-7000-8000-0000000000d2'];
  const clear = async (draw: string): Promise<void> => {
    await t.byHand(`delete from settlement_pieces where draw_id = '${draw}'`);
    await t.db.query(
      `insert into cleared_draws (finished_at, stake, win, commissions, draw_id, game_id, network_id, tickets, players, status)
       values (now(), 0, 0, 0, '${draw}', gen_random_uuid(), 0, 600, 1, 'settled')`,
    );
    await t.db.query(
      `insert into clearings (started_at, finished_at, starts_at, ends_at, removed, id, account_id, network_id, username, model, backup)
       values (now(), now(), '2000-01-01', '2100-01-01', 600, gen_random_uuid(), gen_random_uuid(), 0, '', 'ticket', '')`,
    );
    await seals.seal();
  };
  /** `act` runs between head and snapshot, or after the snapshot. */
  const foundBeside = async (act: () => Promise<unknown>, isShown = false): Promise<string[]> => {
    const { dir, name, signer } = seals;
    const checks = await auditSeals({ dir, name, publicKey: signer.publicKey, witnesses: [] }, async (read) => {
      if (!isShown) await act();
      return copySnapshot(t.database.serverUrl, 1, new AbortController().signal, async ([on]) => {
        await on!.query('select 1');
        if (isShown) await act();
        return read(on!);
      });
    });
    return checks.flatMap(({ problems }) => problems);
  };
  const prunes = async (): Promise<void> => expect(await seals.prune()).toBeGreaterThan(0);

  beforeEach(async () => {
    await rm(seals.dir, { recursive: true });
    await t.db.query('delete from seal_progress');
    await seals.seal();
    for (const draw of DRAWS) {
      await t.db.query(pieces(draw, 600));
      await seals.seal();
    }
  });
  afterEach(() =>
    t.byHand(
      'delete from settlement_pieces where network_id = 0; delete from cleared_draws where network_id = 0; delete from ' +
        'clearings where network_id = 0',
    ),
  );

  it('is accepted, while removals by others are named', async () => {
    await clear(DRAWS[0]!);
    expect(await foundBeside(prunes)).toEqual([]);
    await clear(DRAWS[1]!);
    const taken = async (): Promise<void> => {
      await prunes();
      await rm(join(seals.dir, '1/tile/entries/000'));
    };
    // The rows remain; their sealed form is gone.
    expect(
      (await foundBeside(taken)).filter((problem) => !problem.endsWith(' was added without being sealed')),
    ).toEqual(['records 0 to 255 of test/seals/1 are gone, and no record says they were cleared']);
  });

  it('is accepted for an older log, and for rows the audit still sees', async () => {
    const cleared = async (): Promise<void> => {
      for (const draw of DRAWS) await clear(draw);
      await prunes();
    };
    await seals.seal('To see.');
    expect(await foundBeside(cleared, true)).toEqual([]);
  });
});
