import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noteKey, SIGNATURE_TYPES } from '@drawhouse/tlog/note-keys';
import { cosignText } from '@drawhouse/tlog/note-signatures';
import { newPrivateKey, signerOf } from '@drawhouse/tlog/node/ed25519';
import { formatSignatureLine, parseNote } from '@drawhouse/tlog/signed-notes';
import { describe, expect, it } from 'vitest';
import { changeLastByte, onFullTileSeals, type TileFiles } from '../../../test/tampering/full-tile-seals.ts';
import type { TestSeals } from '../../../test/worlds/sealed-world.ts';

let seals: TestSeals;
let files: TileFiles;

onFullTileSeals((_t, sealed, ofTile) => {
  [seals, files] = [sealed, ofTile];
});
const file = (name: string): string => join(seals.dir, '1', name);

describe('sealed data', () => {
  it('passes as sealed, and names its witnesses', async () => {
    const checks = await seals.audit();
    expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
    expect(checks.map(({ name }) => name)).toEqual([
      'the seals are complete and signed by their key',
      'a later log of seals says why it was begun',
      'every record is as sealed',
      'every sealed record still exists',
      'the seals continue from their state in restored backups',
      expect.stringMatching(/^not witnessed since \d{4}-\d\d-\d\d /),
    ]);
    expect(checks.at(-1)!.unproven).toEqual([expect.stringMatching(/^no witness vouches/)]);
  });

  it('may have newer rows waiting', async () => {
    const { sealed } = await seals.foundAfter(async (on) => {
      await on.query("insert into pinned_settings (name, value) values ('waits', 'x')");
      await on.query("update games set name = name || 'x', written_by = pg_current_xact_id()");
    });
    expect(sealed).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'a changed record in the files',
      async () => {
        const bytes = await readFile(files.bundle);
        await writeFile(
          files.bundle,
          bytes.toString('latin1').replace('pinned_settings 1\nn7\tx', 'pinned_settings 1\nn7\ty'),
          'latin1',
        );
      },
      /^the log test\/seals\/1 .*: record \d+ was changed$/,
    ],
    ['a record whose last byte was changed', () => changeLastByte(files.bundle), /^record 255 can't be read$/],
    [
      'a bundle that ends inside a record',
      () => truncate(files.bundle, 1000),
      /the records from 0 to 255 can't be read/,
    ],
    [
      'deleted records without a clearing',
      () => rm(files.bundle),
      /^records 0 to 255 of test\/seals\/1 are gone, and no record says they were cleared$/,
    ],
    ['a deleted tile', () => rm(files.tile), /tile\/0\/000 is missing, unreadable or too short/],
    [
      'a deleted tile with its records',
      async () => {
        await rm(files.tile);
        await rm(files.bundle);
      },
      /tile\/0\/000 is missing or unreadable, with its records/,
    ],
    [
      'a changed higher tile',
      () => writeFile(files.upper, Buffer.alloc(64)),
      /tile\/1\/000\.p\/\d is missing, unreadable or does not match its records/,
    ],
    [
      'a checkpoint signed by another key',
      async () => {
        const note = await readFile(file('checkpoint'), 'utf8');
        await writeFile(file('checkpoint'), note.replace(/\n(?=[^\n]*\n\n)/, '\nAAAA').replace(/^(.*\n)\d+/, '$11'));
      },
      /the checkpoint of the log test\/seals\/1 is not validly signed/,
    ],
    [
      'an unreadable checkpoint',
      async () => {
        await rm(file('checkpoint'));
        await mkdir(file('checkpoint'));
      },
      /^1 files could not be read: EISDIR, first .*checkpoint$/,
    ],
    ['a deleted checkpoint', () => rm(file('checkpoint')), /is not validly signed: It is missing/],
    ['a deleted state file', () => rm(file('state.json')), /has no state\.json/],
    [
      'deleted files',
      () => rm(join(seals.dir, '1'), { recursive: true }),
      /^the database has \d+ sealed records of the log 1, but its files are missing$/,
    ],
    [
      'a changed root',
      () => seals.changeState((state) => ({ ...state, root: '00'.repeat(32) })),
      /the sealed root of \d+ records does not match its records/,
    ],
    [
      'a state older than the checkpoint',
      () => seals.changeState((state) => ({ ...state, size: 300 })),
      /the root of the checkpoint of \d+ records does not match its records/,
    ],
    [
      'a state that differs from the signed one',
      () => seals.changeState((state) => ({ ...state, previous: null })),
      /^the size of the log test\/seals\/1 was changed in .*state\.json: it is not signed by the seal key$/,
    ],
    ['an unsigned state', () => seals.changeState(({ signature: _, ...state }) => state), /has no state\.json/],
    [
      'a database older than the seals',
      () => seals.changeState((state) => ({ ...state, snapshot: '999999999:999999999:' })),
      /is ahead of the database/,
    ],
  ])('reveals %s', async (_what, change, expected) => {
    await change();
    expect(await seals.problems()).toContainEqual(expect.stringMatching(expected));
  });

  it.each(['bundle', 'tile', 'upper'] as const)('names an edited row although its %s is unreadable', async (which) => {
    await rm(files[which]);
    await mkdir(files[which]);
    const { sealed } = await seals.foundAfter("update pinned_settings set value = 'y' where name = 'n7'");
    const shown = which === 'bundle' ? 'added without being sealed' : 'changed after it was sealed, as record \\d+';
    expect(sealed).toContainEqual(expect.stringMatching(new RegExp(`^pinned_settings \\(name n7\\) was ${shown}$`)));
    expect(sealed).toContainEqual(expect.stringMatching(/unreadable|are gone, and no record says they were cleared/));
    expect(sealed[0]).toBe(`1 files could not be read: EISDIR, first ${files[which]}`);
  });

  describe('with witnesses', () => {
    const witness = signerOf(newPrivateKey());
    const key = noteKey('witness.example', SIGNATURE_TYPES.cosignature, witness.publicKey);
    const signed = (text: string, time: number) => ({
      text,
      line: formatSignatureLine(cosignText(text, key.name, witness, time)),
    });
    const cosign = async (text?: string, first?: object): Promise<void> => {
      const checkpoint = text ?? parseNote(await readFile(file('checkpoint'))).text;
      // Unsigned fields must not count.
      const statement = { name: key.name, keyId: key.id, size: 1, time: 1, since: 1_500_000_000 };
      const cosigned = { ...statement, ...signed(checkpoint, 1_700_000_000), ...(first && { first }) };
      await mkdir(file('witnesses'), { recursive: true });
      await writeFile(file(`witnesses/${key.id}.json`), JSON.stringify(cosigned));
    };

    it('reports their number and time as signed', async () => {
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
      expect((await grade()).problems).toEqual([expect.stringMatching(/its first one belongs to test\/seals\/2$/)]);
      await cosign();
      expect((await seals.audit()).at(-1)!.name).toMatch(/^not witnessed/);
    });

    it('detects that a witnessed tree differs or is missing', async () => {
      const { text } = parseNote(await readFile(file('checkpoint')));
      const [origin, size] = text.split('\n');
      const root = Buffer.alloc(32).toString('base64');
      const found = async (): Promise<string[]> => (await seals.audit([key])).at(-1)!.problems.slice();
      await cosign(`${origin}\n${size}\n${root}\n`);
      expect(await found()).toEqual([
        `witness.example has witnessed different records among the first ${size} of test/seals/1`,
      ]);
      await cosign(`${origin}\n${Number(size) + 1}\n${root}\n`);
      expect(await found()).toEqual([
        expect.stringMatching(/has witnessed \d+ records of test\/seals\/1, but there are only \d+$/),
      ]);
      await cosign();
      const witnessed = file(`witnesses/${key.id}.json`);
      await writeFile(witnessed, (await readFile(witnessed, 'utf8')).replace(/1\\n/, '2\\n'));
      expect(await found()).toEqual([expect.stringMatching(/is not a valid co-signature of witness\.example/)]);
    });
  });
});
