import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeAsSystem } from '../../../test/tampering/change-as-system.ts';
import { playNetwork } from '../../../test/worlds/audit-world.ts';
import { TestApp } from '../../../test/harness.ts';
import { pieces } from '../../../test/worlds/sealed-draws.ts';
import { TestSeals } from '../../../test/worlds/sealed-world.ts';
import type { Check } from '../../audit/audit-check.ts';
import { readProgress } from '../seal/seal-progress.ts';
import { withoutPruning } from '../prune/prune-cleared.ts';

let t: TestApp;
let seals: TestSeals;

beforeAll(async () => {
  t = await TestApp.start();
  seals = await TestSeals.make(t.database);
  await playNetwork(t);
});
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

describe('a later log', () => {
  beforeAll(async () => {
    await rm(seals.dir, { recursive: true });
    await t.db.query('delete from seal_progress');
    await seals.seal();
  });
  const beginning = async (): Promise<Check> => (await seals.audit())[1]!;

  it('is complete, and its reason stays on record', async () => {
    expect(await beginning()).toMatchObject({ rows: 0, problems: [] });
    await seals.seal('To see.');
    expect(await seals.problems()).toEqual([]);
    expect((await beginning()).unproven).toEqual([
      'test/seals/2 was begun after test/seals/1: "To see.", and the audit of it found nothing',
    ]);
    await changeAsSystem(t.database.ownerUrl, ["update games set description = description || '!'"]);
    await seals.seal();
    expect(await seals.problems()).toEqual([]);
  });

  it('names for good what was changed before it began', async () => {
    for (const change of [
      "update games set unit_price = unit_price + 1 where game_key = 'funtargetbingo'",
      "update tickets set ip = '9.9.9.9', written_by = pg_current_xact_id() where ctid = (select min(ctid) from tickets)",
      'delete from transfers where ctid = (select min(ctid) from transfers where kind = 3)',
      "insert into pinned_settings (name, value, written_by) values ('never', 'x', '3')",
    ])
      await t.byHand(change);
    await seals.seal('Somebody said so.');
    await seals.seal('To hide it.');
    const { problems, unproven } = await beginning();
    expect(unproven!.map((line) => line.split(' ').slice(0, 5).join(' '))).toEqual([
      'test/seals/4 was begun after test/seals/3:',
      'test/seals/3 was begun after test/seals/2:',
      'test/seals/2 was begun after test/seals/1:',
    ]);
    for (const says of [
      /^games \(id .*\) was changed after it was sealed, as record \d+$/,
      /^tickets \(.*\) was removed after it was sealed, as record \d+$/,
      /^transfers \(.*\) was removed after it was sealed, as record \d+$/,
      /^pinned_settings \(name never\) was added without being sealed$/,
    ])
      expect(problems).toContainEqual(expect.stringMatching(says));
  });

  it('names what was changed, though the state is lost', async () => {
    const { folder } = await seals.seal();
    await rm(join(folder, 'state.json'));
    await t.byHand('delete from transfers where ctid = (select min(ctid) from transfers where kind = 3)');
    await seals.seal('The state was lost.');
    const { problems, unproven } = await beginning();
    expect(unproven![1]).toContain('has no state.json');
    expect(problems.at(-1)).toMatch(/^transfers \(.*\) was removed after it was sealed, as record \d+$/);
  });

  it('names lost files', async () => {
    const { folder } = await seals.seal();
    await rm(folder, { recursive: true });
    await seals.seal('The disk broke.');
    const [first, ...lost] = (await beginning()).unproven!;
    expect(first).toBe('test/seals/6 was begun after test/seals/5: "The disk broke."');
    expect(lost).toContainEqual(
      expect.stringMatching(/^the database has \d+ sealed records of the log 5, but the newest log in the files is 4$/),
    );
  });

  it('keeps thousands of findings', async () => {
    const before = (await beginning()).problems.length;
    await t.byHand(
      "insert into pinned_settings (name, value, written_by) select 'n' || n, 'x', '3' from generate_series(1, 3000) as n",
    );
    await seals.seal('Many.');
    expect((await beginning()).problems).toHaveLength(before + 3_000);
  });

  const logged = (name: string) => () =>
    changeAsSystem(t.database.ownerUrl, [`insert into pinned_settings (name, value) values ('${name}', 'x')`]);

  /** Seals after each addition, then removes settings by hand and sets the progress back. Returns what the next log records. */
  async function setBack(additions: readonly (() => Promise<unknown>)[], removed: string): Promise<Check> {
    const before = (await beginning()).problems;
    const progress = (await readProgress(t.db))!;
    for (const add of additions) {
      await add();
      await seals.seal();
    }
    await t.byHand(`delete from pinned_settings where name in (${removed})`);
    await t.db.query(
      `update seal_progress set size = ${progress.size}, root = decode('${progress.root}', 'hex'),
         snapshot = '${progress.snapshot}' where origin = ${progress.origin}`,
    );
    await seals.seal('It was put back.');
    const now = await beginning();
    return { ...now, problems: now.problems.filter((text) => !before.includes(text)) };
  }

  it('leaves apart what a restored database lost', async () => {
    const add = () => t.db.query("insert into pinned_settings (name, value) values ('later', 'x')");
    // Rows of two passes committed before the moment, whose progress is that of the pass before.
    const { problems, unproven } = await setBack([logged('first'), logged('second'), add], "'later', 'n1'");
    expect(problems).toEqual([expect.stringMatching(/^pinned_settings \(name n1\) was removed/)]);
    expect(unproven).toContainEqual(expect.stringMatching(/^pinned_settings \(name later\) was removed/));
  });

  it('names what is gone if only the progress was set back, and log rows of the third pass were not', async () => {
    const { problems } = await setBack([logged('gone'), logged('there'), logged('still there')], "'gone'");
    expect(problems).toEqual([expect.stringMatching(/^pinned_settings \(name gone\) was removed/)]);
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

it('nothing is pruned while an audit reads, and then it is', async () => {
  const draw = '00000000-0000-7000-8000-0000000000d1';
  await t.db.query(pieces(draw, 600));
  await seals.seal();
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
  await withoutPruning(t.database.serverUrl, () =>
    withoutPruning(t.database.serverUrl, async () => expect(await seals.prune()).toBe(0)),
  );
  expect(await seals.prune()).toBeGreaterThan(0);
});
