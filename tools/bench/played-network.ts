import { EventEmitter } from 'node:events';
import { randomUUID } from 'node:crypto';
import { ROLES } from '@drawhouse/contract/primitives';
import type { Actor } from '../../apps/server/src/accounts/authority.ts';
import { createAccount, createFirstSuperadmin } from '../../apps/server/src/accounts/create-account.ts';
import { appendActivity, ROOT_NETWORK } from '../../apps/server/src/activity/append-activity.ts';
import { pinnedTimeZone } from '../../apps/server/src/settings/pinned-settings.ts';
import type { Database, Tx } from '../../apps/server/src/db/database.ts';
import type { Services } from '../../apps/server/src/db/services.ts';
import { uuid7From } from '../../apps/server/src/db/uuid7.ts';
import { createDrawMachine } from '../../apps/server/src/draws/draw-machine.ts';
import { seedVault } from '../../apps/server/src/draws/seeds.ts';
import { assignGames, ensureCatalogue } from '../../apps/server/src/games/catalogue.ts';
import { post } from '../../apps/server/src/ledger/post.ts';
import type { Posting } from '../../apps/server/src/ledger/post.ts';
import { ISSUANCE } from '../../apps/server/src/ledger/wallets.ts';
import { takeBatch } from '../../apps/server/src/tickets/take-batch.ts';
import { ticketHooks } from '../../apps/server/src/tickets/ticket-hooks.ts';

const GAME = 'funtargetbingo';
const DRAW_MS = 60_000;
const PLAYERS = 200;
/** Bets of one transaction. */
const BATCH = 500;
/** What each player gets, in hundredths: enough for all its bets. */
const CREDIT = 10_000_000n;
const ORIGIN = { url: '/bench', method: 'POST', ip: '127.0.0.1', userAgent: 'bench' };

/** Plays draws in one network of 200 players by the product's own commands, on a clock of its own: so many tickets of three lines a draw. */
export async function playNetwork(db: Database, draws: number, ticketsADraw: number): Promise<void> {
  let nowMs = Date.parse('2026-03-10T10:00:00Z');
  const clock = { now: () => new Date(nowMs) };
  const timeZone = await pinnedTimeZone(db, undefined, 'Asia/Kolkata');
  const services: Services = { db, clock, timeZone, newId: uuid7From(clock), events: new EventEmitter() };
  const machine = createDrawMachine(services, seedVault('5a'.repeat(32)), ticketHooks(services));
  const players = await makePlayers(services);
  const networkId = players[0]!.networkId;
  for (let draw = 0; draw < draws; draw++) {
    await machine.tick();
    for (let start = 0; start < ticketsADraw; start += BATCH) {
      const orders = Array.from({ length: Math.min(BATCH, ticketsADraw - start) }, (_, n) => ({
        actor: players[(start + n) % PLAYERS]!,
        sessionId: undefined,
        ip: ORIGIN.ip,
        gameKey: GAME,
        drawId: undefined,
        requestId: randomUUID(),
        lines: [0, 3, 7].map((step) => ({ drawno: (start + n + step) % 10, qty: 1 + (n % 5) })),
      }));
      const outcomes = await db.transaction((tx) => takeBatch(services, tx, networkId, orders));
      const refused = outcomes.find((outcome) => outcome instanceof Error);
      if (refused) throw refused;
    }
    nowMs += DRAW_MS;
  }
  await machine.tick();
}

/** A chain of all levels with commissions, and the players below its retailer, each with credit. */
async function makePlayers(services: Services): Promise<Actor[]> {
  const { db } = services;
  await ensureCatalogue(services);
  await createFirstSuperadmin(services, 'superadmin', async () => 'none');
  const [root] = await db.query<{ id: string; username: string }>('select id, username from accounts');
  const superadmin: Actor = { ...root!, role: 'superadmin', networkId: ROOT_NETWORK, chain: [root!.id] };
  const create = async (parent: Actor, name: string): Promise<Actor> => {
    const role = ROLES[parent.chain.length]!;
    const call = {
      actor: superadmin,
      origin: ORIGIN,
      sessionId: '',
      idempotencyKey: undefined,
      token: undefined,
      setSessionCookie: () => {},
      markRepeated: () => {},
    };
    const account = { role, username: name, passwordHash: 'none', commission: 1.5, note: 'bench', active: true };
    const games = role === 'admin' ? [GAME] : undefined;
    const { _id: id } = await createAccount(services, call, { ...account, refId: parent.id, games }, assignGames);
    const [row] = await db.query<{ networkId: number }>(
      'select network_id as "networkId" from accounts where id = $1',
      [id],
    );
    return { id, username: name, role, networkId: row!.networkId, chain: [...parent.chain, id] };
  };
  let above = superadmin;
  for (const role of ROLES.slice(1, -1)) above = await create(above, `bench-${role}`);
  const players: Actor[] = [];
  for (let n = 0; n < PLAYERS; n++) players.push(await create(above, `player-${n}`));
  await db.transaction((tx) => endow(services, tx, superadmin, players));
  return players;
}

/** Issues credit and passes it across the border to the players, logged as the calls do. */
async function endow(services: Services, tx: Tx, by: Actor, players: readonly Actor[]): Promise<void> {
  const { networkId, chain } = players[0]!;
  const own = `credit:${by.id}` as const;
  const border = `boundary:${chain[1]!}` as const;
  const issued: Posting = {
    from: ISSUANCE,
    to: own,
    amount: CREDIT * BigInt(PLAYERS),
    kind: 'issue',
    actorId: by.id,
    reference: null,
  };
  const across = players.map(({ id }) => ({
    id,
    half: { amount: CREDIT, kind: 'give' as const, actorId: by.id, reference: services.newId() },
  }));
  const root = await post(tx, ROOT_NETWORK, services, [
    issued,
    ...across.map(({ half }) => ({ ...half, from: own, to: border })),
  ]);
  const given = across.map(({ id, half }): Posting => ({ ...half, from: border, to: `credit:${id}` }));
  const { transferIds } = await post(tx, networkId, services, given);
  const entry = (transferId: string, targetId: string, amount: bigint) => ({
    accountId: by.id,
    username: by.username,
    subject: 'Gave credit',
    origin: ORIGIN,
    detail: { transferId, targetId, amount: Number(amount) / 100, direction: 'give' },
  });
  await appendActivity(tx, ROOT_NETWORK, services, [
    entry(root.transferIds[0]!, by.id, issued.amount),
    ...transferIds.map((id, index) => entry(id, players[index]!.id, CREDIT)),
  ]);
}
