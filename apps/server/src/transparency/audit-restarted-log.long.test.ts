import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { onFullTileSeals, type TileFiles } from '../../test/tampering/full-tile-seals.ts';
import type { TestApp } from '../../test/harness.ts';
import type { TestSeals } from '../../test/worlds/sealed-world.ts';

let t: TestApp;
let seals: TestSeals;
let files: TileFiles;

onFullTileSeals((app, sealed, ofTile) => {
  [t, seals, files] = [app, sealed, ofTile];
});
const file = (name: string): string => join(seals.dir, '1', name);

describe('with seals of a restarted log', () => {
  beforeEach(async () => {
    await t.db.query(
      'delete from seal_progress where origin > 1; update seal_progress set size = 1, root = sha256(root)',
    );
    await seals.seal('It was put back.');
  });

  it('names the previous log', async () => {
    const checks = await seals.audit();
    expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
    expect(checks[1]).toMatchObject({ rows: 2, problems: [] });
    expect(checks[4]).toMatchObject({
      name: 'every record of the ended log test/seals/1 is as sealed',
      unproven: [],
    });
    const checkpoint = file('checkpoint');
    await writeFile(checkpoint, (await readFile(checkpoint, 'utf8')).replace('\n\n', '\nmore\n\n'));
    expect(await seals.problems()).toContainEqual(
      expect.stringMatching(/test\/seals\/2 names another checkpoint of test\/seals\/1 than its files/),
    );
  });

  it('detects missing records of the previous log', async () => {
    await rm(files.bundle);
    expect(await seals.problems()).toContain(
      'records 0 to 255 of test/seals/1 are gone, and no record says they were cleared',
    );
  });

  it('detects another tree of the previous log', async () => {
    await writeFile(files.tile, Buffer.alloc(256 * 32));
    await writeFile(files.upper, Buffer.alloc(64));
    expect(await seals.problems()).toContainEqual(
      expect.stringMatching(/^the log test\/seals\/1 does not have the tree of \d+ records of its checkpoint$/),
    );
  });

  it('reports what the database lost before the restart sealed it', async () => {
    const { sealed } = await seals.foundAfter("delete from pinned_settings where name = 'n7'");
    expect(sealed).toEqual([expect.stringMatching(/^pinned_settings \(name n7\) was removed .* as record \d+$/)]);
    await t.byHand("delete from pinned_settings where name = 'n8'");
    await seals.seal('It was put back once more.');
    const checks = (await seals.audit()).filter(({ name }) => name.includes('the ended log'));
    expect(checks).toMatchObject([
      { problems: [expect.stringMatching(/n8\) was removed .* of the log test\/seals\/2$/)] },
      {
        problems: [],
        unproven: [
          expect.stringMatching(
            /^when the next log began \("It was put back\."\), the database knew 1 of its \d+ records: 1 of the others/,
          ),
        ],
      },
    ]);
    await t.byHand("insert into pinned_settings (name, value, written_by) values ('n8', 'x', '3')");
  });

  it('reports a previous log without files, now or at the restart', async () => {
    await rm(join(seals.dir, '1'), { recursive: true });
    const unproven = async (): Promise<string[]> => (await seals.audit()).flatMap((check) => check.unproven ?? []);
    expect(await unproven()).toContainEqual(
      expect.stringMatching(/^the files of test\/seals\/1 are missing, so none of its \d+ records is compared/),
    );
    await rm(join(seals.dir, '2'), { recursive: true });
    await seals.seal('The disk broke.');
    expect(await seals.problems()).toEqual([]);
    expect(await unproven()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^the files of test\/seals\/2 are missing, so none of its \d+ records/),
        "the first log of seals can't be reached, because a later one is missing, and is not compared with the database",
      ]),
    );
  });
});
