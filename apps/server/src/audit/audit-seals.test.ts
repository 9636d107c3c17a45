import { cp, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SEALED_TABLES } from '@drawhouse/rules/sealed-records';
import type { SealedTable } from '@drawhouse/rules/sealed-records';
import { noteKey, SIGNATURE_TYPES } from '@drawhouse/tlog/note-keys';
import { cosignText } from '@drawhouse/tlog/note-signatures';
import { newPrivateKey, signerOf } from '@drawhouse/tlog/on-node-ed25519';
import { formatSignatureLine, parseNote } from '@drawhouse/tlog/signed-notes';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeAsSystem } from '../../test/change-as-system.ts';
import { playNetwork } from '../../test/audit-world.ts';
import { TestApp } from '../../test/harness.ts';
import { TestSeals } from '../../test/sealed-world.ts';
import { copySnapshot } from '../db/copy-snapshot.ts';
import { auditSeals } from './audit-seals.ts';

let t: TestApp;
let seals: TestSeals;
/** A copy of the files as they were. */
let kept: string;

beforeAll(async () => {
  t = await TestApp.start();
  seals = await TestSeals.make(t.database);
  kept = `${seals.dir}-kept`;
  await playNetwork(t);
}, 300_000);
afterAll(async () => {
  await t.close();
  await seals.remove();
  await rm(kept, { recursive: true, force: true });
});

it('where there are no seals, the audit says so', async () => {
  const [check] = await seals.audit();
  expect(check).toMatchObject({ rows: 0, problems: [], unproven: [expect.stringMatching(/^nothing is sealed/)] });
});

describe('with seals', () => {
  /** A file of the first log. */
  const file = (name: string): string => join(seals.dir, '1', name);
  let bundle: string;
  let tile: string;
  let upper: string;

  beforeAll(async () => {
    // More than a full tile.
    await t.db.query(
      "insert into pinned_settings (name, value) select 'n' || n, 'x' from generate_series(1, 300) as n",
    );
    const log = await seals.seal();
    await cp(seals.dir, kept, { recursive: true });
    [bundle, tile] = [file('tile/entries/000'), file('tile/0/000')];
    upper = file(`tile/1/000.p/${Math.floor(log.state.size / 256)}`);
  });
  beforeEach(async () => {
    await rm(seals.dir, { recursive: true });
    await cp(kept, seals.dir, { recursive: true });
  });

  it('finds all as it was sealed, and says who vouches for it', async () => {
    const checks = await seals.audit();
    expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
    expect(checks.map(({ name }) => name)).toEqual([
      'the seals are whole and signed by their key',
      'each log of seals names the one before it',
      'every record is as it was sealed',
      'every sealed record is there',
      'the seals go on from what they were when backups were made that were restored',
      expect.stringMatching(/^sealed by itself since \d{4}-\d\d-\d\d /),
    ]);
    expect(checks.at(-1)!.unproven).toEqual([expect.stringMatching(/^no witness vouches/)]);
  });

  it('what was written since waits, and is nothing wrong', async () => {
    const { sealed } = await seals.foundAfter(async (on) => {
      await on.query("insert into pinned_settings (name, value) values ('waits', 'x')");
      await on.query("update games set name = name || 'x', written_by = pg_current_xact_id()");
    });
    expect(sealed).toEqual([]);
  });

  it.each<[string, number, RegExp]>([
    ['a stake', 7, /ticket .* has a stake of \d+ hundredths; \d+ were taken for it/],
    ['what a draw collects', 9, /draw .* was settled with stakes of \d+ hundredths; \d+ were collected/],
    ['a win', 10, /ticket .* won \d+ hundredths and was paid \d+/],
    ['a commission', 11, /earned \d+ hundredths of commission in draw .* and was paid \d+/],
  ])('%s is not sealed by itself, and the rest of the audit finds it changed', async (_what, kind, expected) => {
    const { sealed, rest } = await seals.foundAfter(
      `update transfers set amount = amount + 1 where ctid = (select min(ctid) from transfers where kind = ${kind})`,
      { withRest: true },
    );
    expect(sealed).toEqual([]);
    expect(rest).toContainEqual(expect.stringMatching(expected));
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'a record that was changed in the files',
      async () => {
        const bytes = await readFile(bundle);
        await writeFile(
          bundle,
          bytes.toString('latin1').replace('pinned_settings 1\nn7\tx', 'pinned_settings 1\nn7\ty'),
          'latin1',
        );
      },
      /^the log test\/seals\/1 .*: record \d+ was changed$/,
    ],
    ['a bundle that ends within a record', () => truncate(bundle, 1000), /the records from 0 to 255 can't be read/],
    [
      'records that are gone, where nothing was cleared',
      () => rm(bundle),
      /^records 0 to 255 of test\/seals\/1 are gone, and no record says that they were cleared away$/,
    ],
    ['a tile that is gone', () => rm(tile), /tile\/0\/000 is missing, or too short/],
    [
      'a tile that is gone with its records',
      async () => {
        await rm(tile);
        await rm(bundle);
      },
      /tile\/0\/000 is missing, with its records/,
    ],
    [
      'a tile above',
      () => writeFile(upper, Buffer.alloc(64)),
      /tile\/1\/000\.p\/\d is missing, or not that of its records/,
    ],
    [
      'a checkpoint of another key',
      async () => {
        const note = await readFile(file('checkpoint'), 'utf8');
        await writeFile(file('checkpoint'), note.replace(/\n(?=[^\n]*\n\n)/, '\nAAAA').replace(/^(.*\n)\d+/, '$11'));
      },
      /the checkpoint of the log test\/seals\/1 is none that was signed/,
    ],
    ['a checkpoint that is gone', () => rm(file('checkpoint')), /is none that was signed: It is missing/],
    ['how far it has come', () => rm(file('state.json')), /has no state\.json/],
    [
      'files that are gone',
      () => rm(join(seals.dir, '1'), { recursive: true }),
      /^the database knows of \d+ records in the log 1 of seals; its files are not there$/,
    ],
    [
      'another root',
      () => seals.changeState((state) => ({ ...state, root: '00'.repeat(32) })),
      /the root that was sealed of \d+ records is not that of its records/,
    ],
    [
      'a state before the checkpoint',
      () => seals.changeState((state) => ({ ...state, size: 300 })),
      /the root of the checkpoint of \d+ records is not that of its records/,
    ],
    [
      'a state that is not the one that was signed',
      () => seals.changeState((state) => ({ ...state, previous: null })),
      /^how far the log test\/seals\/1 has come was changed in .*state\.json: the key of the seals has not signed it$/,
    ],
    [
      'a state without its signature',
      () => seals.changeState(({ signature: _, ...state }) => state),
      /state\.json is not signed by the key of the seals, though the log test\/seals\/1 says that it is$/,
    ],
    [
      'a state without its signature, where the record that it is signed is gone too',
      async () => {
        await seals.changeState(({ signature: _, ...state }) => state);
        await rm(bundle);
      },
      /state\.json is not signed by the key of the seals, though the log test\/seals\/1 says that it is$/,
    ],
    [
      'a database that is behind them',
      () => seals.changeState((state) => ({ ...state, snapshot: '999999999:999999999:' })),
      /is ahead of the database/,
    ],
  ])('finds %s', async (_what, change, expected) => {
    await change();
    expect(await seals.problems()).toContainEqual(expect.stringMatching(expected));
  });

  describe('and witnesses', () => {
    const witness = signerOf(newPrivateKey());
    const key = noteKey('witness.example', SIGNATURE_TYPES.cosignature, witness.publicKey);
    const signed = (text: string, time: number) => ({
      text,
      line: formatSignatureLine(cosignText(text, key.name, witness, time)),
    });
    const cosign = async (text?: string, first?: object): Promise<void> => {
      const checkpoint = text ?? parseNote(await readFile(file('checkpoint'))).text;
      // What files say beside what is signed counts for nothing.
      const said = { name: key.name, keyId: key.id, size: 1, time: 1, since: 1_500_000_000 };
      const cosigned = { ...said, ...signed(checkpoint, 1_700_000_000), ...(first && { first }) };
      await mkdir(file('witnesses'), { recursive: true });
      await writeFile(file(`witnesses/${key.id}.json`), JSON.stringify(cosigned));
    };

    it('says by how many it was witnessed, and since when, as they have signed', async () => {
      const { text } = parseNote(await readFile(file('checkpoint')));
      const grade = async () => (await seals.audit([key])).at(-1)!;
      await cosign();
      expect(await grade()).toMatchObject({ name: 'witnessed by 1 since 2023-11-14 22:13:20+00', problems: [] });
      const first = signed(text, 1_600_000_000);
      await cosign(text, first);
      expect(await grade()).toMatchObject({
        name: 'witnessed by 1 since 2020-09-13 12:26:40+00',
        rows: 1,
        problems: [],
      });
      await cosign(text, { ...first, line: signed('another', 1_500_000_000).line });
      expect((await grade()).problems).toEqual([expect.stringMatching(/the signature of its first one is not valid$/)]);
      await cosign(text, signed(text.replace('seals/1', 'seals/2'), 1_500_000_000));
      expect((await grade()).problems).toEqual([expect.stringMatching(/its first one is of test\/seals\/2$/)]);
      await cosign();
      // One that nobody has named vouches for nothing.
      expect((await seals.audit()).at(-1)!.name).toMatch(/^sealed by itself/);
    });

    it('finds a tree that they have seen and that is another one, or is gone', async () => {
      const { text } = parseNote(await readFile(file('checkpoint')));
      const [origin, size] = text.split('\n');
      const root = Buffer.alloc(32).toString('base64');
      const found = async (): Promise<string[]> => (await seals.audit([key])).at(-1)!.problems.slice();
      await cosign(`${origin}\n${size}\n${root}\n`);
      expect(await found()).toEqual([
        `witness.example has witnessed other records among the first ${size} of test/seals/1`,
      ]);
      await cosign(`${origin}\n${Number(size) + 1}\n${root}\n`);
      expect(await found()).toEqual([
        expect.stringMatching(/has witnessed \d+ records of test\/seals\/1; there are \d+$/),
      ]);
      await cosign();
      const witnessed = file(`witnesses/${key.id}.json`);
      await writeFile(witnessed, (await readFile(witnessed, 'utf8')).replace(/1\\n/, '2\\n'));
      expect(await found()).toEqual([expect.stringMatching(/is no cosignature of witness\.example/)]);
    });
  });

  describe('of a log that was begun anew', () => {
    beforeEach(async () => {
      // As if it had been put back to an older state.
      await t.db.query(
        'delete from seal_progress where origin > 1; update seal_progress set size = 1, root = sha256(root)',
      );
      await seals.seal('It was put back.');
    });

    it('names the one before it', async () => {
      const checks = await seals.audit();
      expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
      expect(checks[1]).toMatchObject({ rows: 2, problems: [] });
      expect(checks[4]).toMatchObject({
        name: 'every record of the log test/seals/1, which was ended, is as it was sealed',
        unproven: [],
      });
      const checkpoint = file('checkpoint');
      await writeFile(checkpoint, (await readFile(checkpoint, 'utf8')).replace('\n\n', '\nmore\n\n'));
      expect(await seals.problems()).toContainEqual(
        expect.stringMatching(/test\/seals\/2 names another checkpoint of test\/seals\/1 than its files have/),
      );
    });

    it('finds records of that which are gone', async () => {
      await rm(bundle);
      expect(await seals.problems()).toContain(
        'records 0 to 255 of test/seals/1 are gone, and no record says that they were cleared away',
      );
    });

    it('finds another tree of that', async () => {
      await writeFile(tile, Buffer.alloc(256 * 32));
      await writeFile(upper, Buffer.alloc(64));
      expect(await seals.problems()).toContainEqual(
        expect.stringMatching(/^the log test\/seals\/1 has not the tree of \d+ records that its checkpoint says$/),
      );
    });

    it('says what the database has lost of what it had not seen sealed when it began', async () => {
      const { sealed } = await seals.foundAfter("delete from pinned_settings where name = 'n7'");
      expect(sealed).toEqual([expect.stringMatching(/^pinned_settings \(name n7\) was removed .* as record \d+$/)]);
      await t.byHand("delete from pinned_settings where name = 'n8'");
      await seals.seal('It was put back once more.');
      const held = (await seals.audit()).filter(({ name }) => name.includes('which was ended'));
      expect(held).toMatchObject([
        { problems: [expect.stringMatching(/n8\) was removed .* of the log test\/seals\/2$/)] },
        {
          problems: [],
          unproven: [
            expect.stringMatching(
              /^when the log after it began \("It was put back\."\), the database knew of 1 of its \d+ records: 1 of the others/,
            ),
          ],
        },
      ]);
      await t.byHand("insert into pinned_settings (name, value, written_by) values ('n8', 'x', '3')");
    });

    it('says which one has no files any more, or had none when it began', async () => {
      await rm(join(seals.dir, '1'), { recursive: true });
      const unproven = async (): Promise<string[]> => (await seals.audit()).flatMap((check) => check.unproven ?? []);
      expect(await unproven()).toContainEqual(
        expect.stringMatching(/^the files of test\/seals\/1 are gone: none of the \d+ records that it had is compared/),
      );
      await rm(join(seals.dir, '2'), { recursive: true });
      await seals.seal('The disk broke.');
      expect(await seals.problems()).toEqual([]);
      expect(await unproven()).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^the files of test\/seals\/2 are gone: none of the \d+ records/),
          "the first log of seals can't be reached past the one that is not there, and is not compared with the database",
        ]),
      );
    });
  });
});

describe('the logs that were ended are held against what there is', () => {
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

  it('and what changed or was removed as it should be is nothing wrong', async () => {
    await t.db.query("update games set description = description || '.'; delete from times where seconds = 77");
    await seals.seal('To see.');
    expect(await seals.problems()).toEqual([]);
    await changeAsSystem(t.database.ownerUrl, ["update games set description = description || '!'"]);
    await seals.seal();
    expect(await seals.problems()).toEqual([]);
  });

  it('and what was changed before the next one began is named', async () => {
    for (const change of [
      "update games set unit_price = unit_price + 1 where game_key = 'funtargetbingo'",
      // As if it had been changed by what came later.
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
      String.raw`^tickets \(.*\) was changed after it was sealed, as record \d+ of ${of2}`,
      String.raw`^tickets \(.*\) was changed after it was sealed, as record \d+ of the log test/seals/1$`,
      String.raw`^transfers \(.*\) was removed after it was sealed, as record \d+ of ${of2}`,
      String.raw`^pinned_settings \(name never\) was added without being sealed in ${of2}`,
    ])
      expect(found).toContainEqual(expect.stringMatching(new RegExp(says)));
  });
});

describe('a table that has got another column', () => {
  const tables = SEALED_TABLES as Record<string, SealedTable>;
  const before = tables['landing_settings']!;
  beforeAll(async () => {
    await rm(seals.dir, { recursive: true });
    await t.db.query('delete from seal_progress');
    await t.db.query('insert into landing_settings select id, true from networks');
    await seals.seal();
    await t.db.query('alter table landing_settings add column tune text');
    tables['landing_settings'] = {
      ...before,
      version: 2,
      columns: [...before.columns, 'tune'],
      earlier: { 1: { tune: String.raw`\N` } },
    };
  });
  afterAll(async () => {
    tables['landing_settings'] = before;
    await t.db.query('alter table landing_settings drop column tune');
  });
  const ROOTS = 'where network_id = 0';
  const CHANGED = [expect.stringMatching(/^landing_settings \(network_id 0\) was changed after it was sealed/)];

  it('has its old records in their form, and what rows of then say in the new column holds', async () => {
    expect(await seals.problems()).toEqual([]);
    for (const change of ["tune = 'loud'", 'winners_shown = false'])
      expect((await seals.foundAfter(`update landing_settings set ${change} ${ROOTS}`)).sealed).toEqual(CHANGED);
  });

  it('has new records in the new one, and a row that is sealed once more is the same', async () => {
    const change = (set: string): Promise<void> =>
      changeAsSystem(t.database.ownerUrl, [`update landing_settings set ${set} ${ROOTS}`]);
    tables['landing_settings'] = { ...tables['landing_settings']!, row: 'record' };
    await change('written_by = pg_current_xact_id()');
    await seals.seal();
    expect(await seals.problems()).toEqual([]);
    tables['landing_settings'] = { ...tables['landing_settings'], row: 'changes' };
    await change("tune = 'soft', written_by = pg_current_xact_id()");
    await seals.seal();
    expect(await seals.problems()).toEqual([]);
    expect((await seals.foundAfter(`update landing_settings set tune = null ${ROOTS}`)).sealed).toEqual(CHANGED);
  });
});

it('what was changed past the log is found for good, though what came over it is logged', async () => {
  const { ownerUrl } = t.database;
  const change = (of: string): string => `update games set description = '${of}' where game_key = 'funtargetbingo'`;
  await t.db.query(change('past it'));
  await seals.seal();
  await changeAsSystem(ownerUrl, [change('with it')]);
  await seals.seal();
  expect(await seals.problems()).toContainEqual(
    expect.stringMatching(
      /^games \(id [-\w]+\) was changed by transaction \d+, which wrote no log, as record \d+ says/,
    ),
  );
  const { rest } = await seals.foundAfter('', { withRest: true });
  expect(rest.filter((problem) => problem.startsWith('the game'))).toEqual([]);
});

describe('a server that prunes beside the audit', () => {
  const DRAWS = ['00000000-0000-7000-8000-0000000000d1', '00000000-0000-7000-8000-0000000000d2'];
  /** Clears a draw whose wins fill bundles. */
  const clear = async (draw: string): Promise<void> => {
    await t.byHand(`delete from ticket_wins where draw_id = '${draw}'`);
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
  /** What the audit finds where `act` comes in once it knows how far the log has come: before its snapshot is taken, or behind. */
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
      await t.db.query(
        `insert into ticket_wins (win, ticket_id, draw_id, network_id) select 1, gen_random_uuid(), '${draw}', 0 from generate_series(1, 600)`,
      );
      await seals.seal();
    }
  });
  afterEach(() =>
    t.byHand(
      'delete from ticket_wins where network_id = 0; delete from cleared_draws where network_id = 0; delete from clearings where network_id = 0',
    ),
  );

  it('is nothing wrong, and what somebody else took away meanwhile is named', async () => {
    await clear(DRAWS[0]!);
    expect(await foundBeside(prunes)).toEqual([]);
    await clear(DRAWS[1]!);
    const taken = async (): Promise<void> => {
      await prunes();
      await rm(join(seals.dir, '1/tile/entries/000'));
    };
    // Its rows are there, and what they were sealed as is not.
    expect(
      (await foundBeside(taken)).filter((problem) => !problem.endsWith(' was added without being sealed')),
    ).toEqual(['records 0 to 255 of test/seals/1 are gone, and no record says that they were cleared away']);
  });

  it('is nothing wrong of an older log, nor where rows are cleared that the audit still sees', async () => {
    const cleared = async (): Promise<void> => {
      for (const draw of DRAWS) await clear(draw);
      await prunes();
    };
    await seals.seal('To see.');
    expect(await foundBeside(cleared, true)).toEqual([]);
  });
});
