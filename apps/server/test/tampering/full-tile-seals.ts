import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { playNetwork } from '../worlds/audit-world.ts';
import { TestApp } from '../harness.ts';
import { TestSeals } from '../worlds/sealed-world.ts';

export interface TileFiles {
  readonly bundle: string;
  readonly tile: string;
  readonly upper: string;
}

export async function changeLastByte(file: string): Promise<void> {
  const bytes = await readFile(file);
  bytes.write('x', bytes.length - 1);
  await writeFile(file, bytes);
}

/** Seals more records than a full tile, once per file. Restores seal files before each test. */
export function onFullTileSeals(give: (t: TestApp, seals: TestSeals, files: TileFiles) => void): void {
  let t: TestApp;
  let seals: TestSeals;
  let kept: string;
  let files: TileFiles;
  beforeAll(async () => {
    t = await TestApp.start();
    seals = await TestSeals.make(t.database);
    kept = `${seals.dir}-kept`;
    await playNetwork(t);
    await t.db.query(
      "insert into pinned_settings (name, value) select 'n' || n, 'x' from generate_series(1, 300) as n",
    );
    const log = await seals.seal();
    await cp(seals.dir, kept, { recursive: true });
    const file = (name: string): string => join(seals.dir, '1', 'tile', name);
    const upper = file(`1/000.p/${Math.floor(log.state.size / 256)}`);
    files = { bundle: file('entries/000'), tile: file('0/000'), upper };
  });
  afterAll(async () => {
    await t.close();
    await seals.remove();
    await rm(kept, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await rm(seals.dir, { recursive: true });
    await cp(kept, seals.dir, { recursive: true });
    give(t, seals, files);
  });
}
