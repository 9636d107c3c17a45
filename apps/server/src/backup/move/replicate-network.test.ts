import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Network } from '../../../test/harness.ts';
import { advanceAll, type CellApp } from '../../../test/worlds/cell-moves.ts';
import { TestGroup } from '../../../test/worlds/cells.ts';
import { dropFence, raiseFence } from '../../activity/network-work/fences.ts';
import { BACKUP_TEXTS } from '../backup-texts.ts';
import { dropStagedNetwork, reserveStagedNetwork } from '../restore/stage-network.ts';
import { type Replication, withReplication } from './replicate-network.ts';

let group: TestGroup;
let first: CellApp;
let second: CellApp;
let net: Network;
let before: Date;
let ended: string;
let unfinished: string;

const OF_FIVE_MINUTES = 'lottery4d';

async function betOnUnfinished(): Promise<string> {
  const { body } = await first.bet(net.user, { 1042: 1 }, { gameId: OF_FIVE_MINUTES });
  return body.ticket.drawId;
}

beforeAll(async () => {
  ({ group, first, second } = await TestGroup.startTwo());
  net = await first.network({ games: ['funtargetbingo', OF_FIVE_MINUTES] });
  unfinished = await betOnUnfinished();
  await first.finishDraw();
  net.user = await first.signIn(net.user.username);
  const { body } = await first.bet(net.user, { 1: 5 });
  ended = body.ticket.drawId;
  await first.finishDraw();
  await advanceAll([first, second], 1_000);
  before = first.clock.now();
});
afterAll(() => group.close());

async function replicate(act: (replication: Replication) => Promise<void>): Promise<void> {
  const { networkId, admin } = net;
  const { services } = second.app;
  await reserveStagedNetwork(services, { adminId: admin._id, rootLog: 0n, number: networkId });
  const addresses = { from: first.database.ownerUrl, to: second.database.ownerUrl };
  const { signal } = new AbortController();
  try {
    await withReplication({ ...addresses, networkId, signal, before }, act);
  } finally {
    await dropStagedNetwork(services.db, networkId);
  }
}

const differs = (table: string) => ({ code: 'RULE_REFUSED', message: BACKUP_TEXTS.otherRows(table) });

it.each([
  ['tickets', 'stake'],
  ['transfers', 'amount'],
  ['player_settlements', 'stake'],
  ['draws', 'rate_changes'],
])('finds old %s that differ before the network closes', async (table, column) => {
  await second.db.query(
    `create or replace function alter_row() returns trigger language plpgsql as
      $$ begin new.${column} := new.${column} + 1; return new; end $$`,
  );
  await second.db.query(`create trigger altered before insert on ${table} for each row execute function alter_row()`);
  await second.db.query(`alter table ${table} enable always trigger altered`);
  const close = vi.fn<() => Promise<void>>();
  await expect(replicate(close)).rejects.toMatchObject(differs(table));
  expect(close).not.toHaveBeenCalled();
  await second.db.query(`drop trigger altered on ${table}`);
});

it('finds later tickets, transfers and exposures that differ, and a changed draw that ended before', async () => {
  const { networkId, admin } = net;
  net.user = await first.signIn(net.user.username);
  await replicate(async ({ complete }) => {
    expect((await first.bet(net.user, { 2: 7 })).status).toBe(201);
    expect(await betOnUnfinished()).toBe(unfinished);
    await first.db.query('update draws set rate_changes = rate_changes + 1 where id = $1', [ended]);
    const fence = { networkId, adminId: admin._id, moveId: randomUUID(), arrives: false, cell: 'cell-2' };
    await first.app.services.db.transaction((tx) => raiseFence(tx, fence, first.clock.now()));
    const fenced = (): Promise<object[]> => second.db.query('select from fences where network_id = $1', [networkId]);
    await expect.poll(fenced).toHaveLength(1);
    const since = `>= '${before.toISOString()}'`;
    for (const [table, column, where] of [
      ['tickets', 'stake', `placed_at ${since}`],
      ['transfers', 'amount', `at ${since}`],
      ['exposures', 'stake', `draw_id > '${ended}'`],
      ['exposures', 'stake', `draw_id = '${unfinished}'`],
      ['draws', 'rate_changes', `id = '${unfinished}'`],
      ['draws', 'rate_changes', `id = '${ended}'`],
    ]) {
      const rows = `where network_id = ${networkId} and ${where}`;
      const add = (by: number) => second.byHand(`update ${table} set ${column} = ${column} + ${by} ${rows}`);
      await add(1);
      await expect(complete()).rejects.toMatchObject(differs(table!));
      await add(-1);
    }
    await complete();
  });
  await dropFence(first.app.services.db, networkId);
});
