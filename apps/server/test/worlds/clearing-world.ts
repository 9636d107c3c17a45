import { addLogin } from '@drawhouse/contract/logins/logins';
import { ownerOf } from '../../src/accounts/authority.ts';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { login } from '@drawhouse/contract/auth/auth';
import { payCommission } from '@drawhouse/contract/credit/credit';
import { listLimits, setLimits } from '@drawhouse/contract/games/limits';
import { setPercentages } from '@drawhouse/contract/games/percentages';
import { saveFavorite } from '@drawhouse/contract/players/favorites';
import { claimWin, printTicket } from '@drawhouse/contract/tickets/tickets';
import { expect } from 'vitest';
import { clearHistory, type ClearingParts } from '../../src/clearing/clear-history.ts';
import type { Database, Tx } from '../../src/platform/db/database.ts';
import { changeOfGame, onEachDigit, operator, playNetwork } from './audit-world.ts';
import { addAppFactor } from '../clients/app-factor.ts';
import { PASSWORD } from '../test-password.ts';
import type { Network, SignedIn, TestApp } from '../harness.ts';
import type { ClearingModel } from '@drawhouse/contract/clearing/clearing-texts';

export const DAYS = { first: '2026-03-10', second: '2026-03-11', third: '2026-03-12', today: '2026-03-13' };
const DAY_MS = 86_400_000;

/** Three days of history of every kind, a running fourth, and another active network. */
export interface ClearingWorld {
  readonly net: Network;
  readonly other: Network;
  readonly unclaimed: string;
  readonly claimed: string;
}

export async function playHistory(t: TestApp): Promise<ClearingWorld> {
  const { net } = await playNetwork(t, { confirmed: false });
  await t.finishDraw();
  const other = await t.network({ credit: 90, commissions: { retailer: 4 }, games: ['funtargetbingo', 'luckycard16'] });
  await t.bet(other.user, onEachDigit(1));
  await setFor(t, net, 80, 50);
  await t.finishDraw();
  await nextDay(t, net, other);
  await setFor(t, net, 85, 60);
  await t.bet(net.user, onEachDigit(2));
  await t.bet(other.user, { 5: 3 });
  await operator(t, net).save(net.admin, '6');
  await operator(t, net).save(net.admin, '2');
  await t.finishDraw();
  await pay(t, net.admin, net.retailer);
  await t.give(net.retailer, net.user, 0.5);
  const left = await t.create(net.retailer);
  await signInByBrowser(t, left);
  await t.ok(saveFavorite, { body: { gameId: 'funtargetbingo', name: 'Sevens', bets: '7*5' } }, left);
  await addAppFactor(t, left);
  await t.ok(accountRoutes.user.remove, { params: { id: left._id } }, net.retailer);
  await leaveWithLogin(t, net.distributor);
  await changeOfGame(t, { manualClaims: 'yes' });
  await t.finishDraw();
  const unclaimed = await playClaimed(t, net.user);
  const claimed = await playClaimed(t, net.user);
  await nextDay(t, net, other);
  await t.ok(claimWin, { body: { ticketId: claimed } }, net.user);
  await t.ok(printTicket, { params: { ticketId: claimed } }, net.user);
  await changeOfGame(t, { manualClaims: 'no' });
  await t.finishDraw();
  await t.bet(net.user, { 1: 2, 2: 2 });
  await operator(t, net).void(net.admin);
  await t.finishDraw();
  await t.bet(net.user, { 4: 6 });
  await t.finishDraw();
  await t.finishDraw();
  await pay(t, net.admin, net.user);
  await nextDay(t, net, other);
  await t.bet(net.user, { 7: 1 });
  await t.finishDraw();
  await t.bet(net.user, { 8: 1 });
  return { net, other, unclaimed, claimed };
}

async function leaveWithLogin(t: TestApp, above: SignedIn): Promise<void> {
  const left = await t.create(above);
  const body = { username: `${left.username}.front`, name: 'Meera', role: 'cashier' as const, password: PASSWORD };
  await t.ok(addLogin, { body }, left);
  await t.ok(accountRoutes.retailer.remove, { params: { id: left._id } }, above);
}

async function signInByBrowser(t: TestApp, { username }: SignedIn): Promise<void> {
  const body = { username, password: PASSWORD };
  const { status } = await t.send(login.method, `/api/${login.path}`, {}, body, { origin: 'https://games.example' });
  expect(status).toBe(200);
}

async function playClaimed(t: TestApp, player: SignedIn): Promise<string> {
  const { body } = await t.bet(player, onEachDigit(1));
  await t.finishDraw();
  return body.ticket._id;
}

async function pay(t: TestApp, by: SignedIn, to: SignedIn): Promise<void> {
  await t.ok(payCommission, { body: { toUserId: to._id, password: PASSWORD } }, by);
}

async function setFor(t: TestApp, net: Network, winPercentage: number, perTicket: number): Promise<void> {
  const params = { adminId: net.admin._id };
  const [limit] = (await t.ok(listLimits, { params }, net.admin)).data;
  await t.ok(setLimits, { params, body: { updates: [{ id: limit!.id, perTicket }] } }, net.admin);
  const updates = [{ id: limit!.id, winpercentage: winPercentage }];
  await t.ok(setPercentages, { params: { id: net.admin._id }, body: { updates } }, net.admin);
}

/** Same time next day, with closed books. Signs everyone in again. */
async function nextDay(t: TestApp, ...networks: readonly Network[]): Promise<void> {
  t.clock.advance(DAY_MS);
  for (let times = 0; times < 5; times++) await t.app.tick();
  for (const { networkId: _, ...accounts } of networks)
    for (const account of Object.values(accounts)) Object.assign(account, await t.signIn(account.username));
}

export interface Clears {
  readonly net: Network;
  readonly models: readonly ClearingModel[];
  readonly startDate?: string;
  readonly endDate?: string;
  readonly beforeStatement?: () => void;
}

/** Runs inside an open transaction; commits become savepoints. */
export async function clearWithin(
  t: TestApp,
  tx: Tx,
  { net, models, startDate = DAYS.first, endDate = DAYS.today, beforeStatement }: Clears,
): Promise<Awaited<ReturnType<typeof clearHistory>>> {
  const on: Tx = {
    ...tx,
    query(text, values, name) {
      beforeStatement?.();
      return tx.query(text, values, name);
    },
  };
  const db = {
    query: tx.query.bind(tx),
    patient: { snapshot: (read: (on: Tx) => Promise<unknown>) => read(tx) },
    async transaction(act: (on: Tx) => Promise<unknown>) {
      await tx.query('savepoint committed');
      try {
        const result = await act(on);
        await tx.query('release savepoint committed');
        return result;
      } catch (error) {
        await tx.query('rollback to savepoint committed');
        throw error;
      }
    },
  } as unknown as Database;
  const { admin, networkId } = net;
  const [before] = await tx.query<{ clearings: number }>(
    'select count(distinct id)::int as clearings from clearings where network_id = $1',
    [networkId],
  );
  // Clearing is allowed once a day.
  const clock = { now: () => new Date(t.clock.now().getTime() + before!.clearings * DAY_MS) };
  const parts: ClearingParts = {
    services: { ...t.app.services, db, clock },
    networkWork: {
      run: (_order: unknown, act: (work: object) => Promise<unknown>) =>
        act({ signal: new AbortController().signal, progress: () => {} }),
    } as never,
    retentionDays: 0,
    backUp: async () => 'a-backup',
    makeRoom: async () => {},
  };
  const call = {
    actor: ownerOf({ id: admin._id, username: admin.username, role: 'admin', networkId, chain: [] }),
    origin: { url: '/api/backup/deleterecords', method: 'POST', ip: '10.0.0.1', userAgent: '' },
  };
  return clearHistory(parts, call as never, { models: [...models], startDate, endDate });
}

export async function takenBack(t: TestApp, act: (tx: Tx) => Promise<void>): Promise<void> {
  const undo = new Error('undo');
  try {
    await t.db.transaction(async (tx) => {
      await act(tx);
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
}

export async function rowsOf(on: Pick<Tx, 'query'>, networkId: number): Promise<string> {
  const tables = await on.query<{ name: string }>(
    `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'network_id' order by 1`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await on.query<{ row: string }>(
      `select r::text as row from ${name} r where network_id = ${networkId} order by r::text collate "C"`,
    );
    texts.push(`${name}\n${rows.map(({ row }) => row).join('\n')}`);
  }
  return texts.join('\n\n');
}
