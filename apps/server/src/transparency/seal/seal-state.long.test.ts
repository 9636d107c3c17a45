import { access, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, afterAll, beforeEach, describe, expect, it } from 'vitest';
import { TestApp } from '../../../test/harness.ts';
import { entriesFrom } from '../../../test/worlds/sealed-app.ts';
import { TestSeals } from '../../../test/worlds/sealed-world.ts';

let t: TestApp;
let seals: TestSeals;
const file = (name: string): string => join(seals.dir, '1', name);
const withoutSignature = ({ signature: _, ...state }: Record<string, unknown>): object => state;

beforeAll(async () => {
  t = await TestApp.start();
});
afterAll(() => t.close());
beforeEach(async () => {
  seals = await TestSeals.make(t.database);
  await t.db.query('delete from seal_progress');
  await t.byHand(
    `insert into past_sessions (token_hash, account_id, began_at, ended_at)
     select sha256(n::text::bytea), gen_random_uuid(), now(), now() from generate_series(1, 700) as n on conflict do nothing`,
  );
});
afterEach(() => seals.remove());

describe("a log's stored progress", () => {
  it.each<[string, () => Promise<unknown>, string]>([
    ['another size', () => seals.changeState((state) => ({ ...state, size: 256 })), 'was changed in state.json'],
    [
      'another snapshot',
      () => seals.changeState((state) => ({ ...state, snapshot: '9:9:' })),
      'was changed in state.json',
    ],
    [
      'another state before it',
      () => seals.changeState((state) => ({ ...state, previous: null })),
      'was changed in state.json',
    ],
    ['no signature', () => seals.changeState(withoutSignature), 'does not have the written content'],
    ['no such file', () => rm(file('state.json')), 'does not say how many it has'],
  ])('that someone made %s stops sealing, and no file is removed', async (_what, change, says) => {
    await seals.seal();
    await change();
    await expect(seals.seal()).rejects.toThrow(says);
    await access(file('tile/entries/002'));
  });

  it('stops sealing after a rollback and removes no file', async () => {
    await seals.seal();
    const older = await readFile(file('state.json'));
    await t.byHand('delete from past_sessions');
    await t.byHand(
      `insert into past_sessions (token_hash, account_id, began_at, ended_at)
       select sha256(('later ' || n)::bytea), gen_random_uuid(), now(), now() from generate_series(1, 300) as n`,
    );
    const { size } = (await seals.seal()).state;
    await writeFile(file('state.json'), older);
    await expect(seals.seal()).rejects.toThrow('is outdated');
    await access(file('tile/entries/003'));
    const [first] = await entriesFrom(await seals.seal('It was put back.'), 0);
    expect(first).toContain(`test/seals/1\tIt was put back.\ttest/seals/1\\n${size}\\n`);
  });

  it('is not used if it belongs to another log', async () => {
    await seals.seal();
    await seals.seal('To see.');
    await cp(file('state.json'), join(seals.dir, '2', 'state.json'));
    await expect(seals.seal()).rejects.toThrow('was changed in state.json');
  });

  it('missing in a newer log is still named by the next one', async () => {
    await seals.seal();
    const { size } = (await seals.seal('To see.')).state;
    await rm(join(seals.dir, '2', 'state.json'));
    await expect(seals.seal()).rejects.toThrow('Sealing is stopped');
    const [first] = await entriesFrom(await seals.seal('It is lost.'), 0);
    expect(first).toContain(`test/seals/2\tIt is lost.\ttest/seals/2\\n${size}\\n`);
  });

  it('is the last signed one for a restarted log', async () => {
    const { size } = (await seals.seal()).state;
    await seals.changeState((state) => ({ ...state, size: 256, root: '00'.repeat(32) }));
    const [first] = await entriesFrom(await seals.seal('It was changed.'), 0);
    expect(first).toContain(`test/seals/1\tIt was changed.\ttest/seals/1\\n${size}\\n`);
  });
});
