import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { playNetwork } from '../worlds/audit-world.ts';
import { dyingAt } from '../processes/dying-database.ts';
import { TestApp, type Network } from '../harness.ts';
import { backUp, importBackup, otherInstallation, toolsOf } from '../backups/move-tools.ts';
import { digestsOf } from '../tampering/table-rows.ts';

/** An import killed before any statement leaves an empty admin or the whole network; a retry completes. */

/** A small import makes more statements: progress is written by time. */
const STATEMENTS = Array.from({ length: 110 }, (_, index) => index + 1);
let there: TestApp;
let here: TestApp;
let net: Network;
let bystander: Network;

beforeAll(async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  [there, here] = [await TestApp.start(), await otherInstallation()];
  ({ net } = await playNetwork(there, { confirmed: false }));
  bystander = await here.network({ credit: 10 });
});
afterAll(() => Promise.all([there.close(), here.close()]));

it('survives a kill before any statement of an import', async () => {
  const backup = await backUp(there, net.admin);
  const renames = Object.fromEntries(
    Object.values(net).flatMap((one: unknown) => {
      const { username } = one as { username?: string };
      return username === undefined ? [] : [[username, `moved-${username}`]];
    }),
  );
  const importUntil = async (number: number): Promise<[ended: boolean, made: number]> => {
    let count = 0;
    here.clock.set(new Date(Math.max(there.clock.now().getTime(), here.clock.now().getTime()) + 1_000));
    await here.app.tick();
    const digests = await digestsOf(here.db, bystander.networkId);
    const tools = toolsOf(here, (db) => dyingAt(db, () => ++count >= number));
    const [{ status }] = await Promise.allSettled([importBackup(here, backup, { renames }, tools)]);
    expect(await digestsOf(here.db, bystander.networkId), `another network, at statement ${number}`).toEqual(digests);
    await here.expectBooksToBalance();
    return [status === 'fulfilled', count];
  };
  const hasCome = async (): Promise<boolean> =>
    (await here.db.query('select from moves m join networks n on n.id = m.network_id')).length > 0;
  for (const number of STATEMENTS) {
    const [ended] = await importUntil(number);
    expect(ended, `at statement ${number}`).toBe(false);
    if (await hasCome()) break;
  }
  if (!(await hasCome())) expect((await importUntil(Infinity))[1]).toBeGreaterThan(STATEMENTS.length);
  await expect(importBackup(here, backup, { renames })).rejects.toThrow('already exists here');
  here.clock.advance(61_000);
  await here.app.tick();
  expect(await here.db.query('select from staged_networks')).toEqual([]);
  await here.expectBooksToBalance();
});
