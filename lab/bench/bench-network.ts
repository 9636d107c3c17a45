import { EventEmitter } from 'node:events';
import { ROLES } from '@drawhouse/contract/frame/primitives';
import type { Role } from '@drawhouse/contract/frame/primitives';
import type { Actor } from '../../apps/server/src/accounts/authority.ts';
import { createAccount, createFirstSuperadmin } from '../../apps/server/src/accounts/change/create-account.ts';
import { insertAccount } from '../../apps/server/src/accounts/change/insert-account.ts';
import { appendActivity } from '../../apps/server/src/activity/append-activity.ts';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { ActivityEntry } from '../../apps/server/src/activity/append-activity.ts';
import { pinnedTimeZone } from '../../apps/server/src/platform/settings/pinned-settings.ts';
import type { Clock } from '../../apps/server/src/platform/time/clock.ts';
import type { Database, Tx } from '../../apps/server/src/platform/db/database.ts';
import type { Services } from '../../apps/server/src/platform/services.ts';
import type { Call } from '../../apps/server/src/platform/http/handler.ts';
import { createUuid7 } from '../../apps/server/src/platform/db/sql/uuids.ts';
import { createDrawMachine } from '../../apps/server/src/settlement/draw-machine.ts';
import type { DrawMachine } from '../../apps/server/src/settlement/draw-machine.ts';
import { createSeedVault } from '../../apps/server/src/draws/seed/seeds.ts';
import { assignGames, ensureCatalogue } from '../../apps/server/src/games/catalogue/built-in-games.ts';
import { post } from '../../apps/server/src/ledger/post.ts';
import type { Posting } from '../../apps/server/src/ledger/post.ts';
import { ISSUANCE } from '../../apps/server/src/ledger/wallets.ts';

const ACCOUNTS = 1000;
const ORIGIN = { url: '/bench', method: 'POST', ip: '127.0.0.1', userAgent: 'bench' };

export interface BenchNetwork {
  readonly services: Services;
  readonly machine: DrawMachine;
  readonly networkId: number;
  readonly players: readonly Actor[];
  /** Advances the network's own clock; no effect with `clock`. */
  readonly advance: (ms: number) => void;
}

export interface NetworkPlan {
  readonly games: readonly string[];
  readonly players: number;
  /** Hundredths per player. */
  readonly credit: bigint;
  /** Password hash of every account. Without it, sign-in is impossible. */
  readonly passwordHash?: string;
  readonly prefix?: string;
  /** Default: a private clock that only `advance` moves. */
  readonly clock?: Clock;
}

export async function makeNetwork(db: Database, plan: NetworkPlan): Promise<BenchNetwork> {
  let nowMs = Date.parse('2026-03-10T10:00:00Z');
  const clock = plan.clock ?? { now: () => new Date(nowMs) };
  const timeZone = await pinnedTimeZone(db, undefined, 'Asia/Kolkata');
  const services: Services = { db, clock, timeZone, newId: createUuid7(clock), events: new EventEmitter() };
  const machine = createDrawMachine(services, createSeedVault('5a'.repeat(32)));
  const players = await makePlayers(services, plan);
  const { networkId } = players[0]!;
  return { services, machine, networkId, players, advance: (ms) => void (nowMs += ms) };
}

async function makePlayers(services: Services, plan: NetworkPlan): Promise<Actor[]> {
  const { db } = services;
  const { players: count, passwordHash = 'none', prefix = '' } = plan;
  await ensureCatalogue(services);
  await createFirstSuperadmin(services, 'superadmin', async () => passwordHash);
  const [root] = await db.query<{ id: string; username: string }>(
    `select id, username from accounts where role = 'superadmin'`,
  );
  const superadmin: Actor = { ...root!, role: 'superadmin', networkId: ROOT_NETWORK, chain: [root!.id] };
  let above = superadmin;
  for (const role of ROLES.slice(1, -1)) above = await createStaff(services, superadmin, above, role, plan);
  const players: Actor[] = [];
  while (players.length < count) {
    const names = Array.from(
      { length: Math.min(ACCOUNTS, count - players.length) },
      (_, n) => `${prefix}player-${players.length + n}`,
    );
    const added = { by: superadmin, below: above, names, credit: plan.credit, passwordHash };
    players.push(...(await db.transaction((tx) => insertPlayers(services, tx, added))));
  }
  return players;
}

export function callOf(actor: Actor): Call<Actor> {
  return {
    actor,
    origin: ORIGIN,
    sessionId: '',
    header: () => undefined,
    idempotencyKey: undefined,
    token: undefined,
    apiKey: undefined,
    charge: () => {},
    gone: new AbortController().signal,
    device: undefined,
    setDeviceCookie: () => {},
    setSessionCookie: () => {},
    markRepeated: () => {},
  };
}

async function createStaff(services: Services, by: Actor, above: Actor, role: Role, plan: NetworkPlan): Promise<Actor> {
  const { games, passwordHash = 'none', prefix = '' } = plan;
  const username = `${prefix}bench-${role}`;
  const account = { role, username, passwordHash, commission: 1.5, note: 'bench', active: true, refId: above.id };
  const { _id: id } = await createAccount(
    services,
    callOf(by),
    { ...account, games: role === 'admin' ? games : undefined },
    assignGames,
  );
  const [row] = await services.db.query<{ networkId: number }>(
    'select network_id as "networkId" from accounts where id = $1',
    [id],
  );
  return { id, username, role, networkId: row!.networkId, chain: [...above.chain, id] };
}

interface NewPlayers {
  readonly by: Actor;
  readonly below: Actor;
  readonly names: readonly string[];
  readonly credit: bigint;
  readonly passwordHash: string;
}

async function insertPlayers(services: Services, tx: Tx, added: NewPlayers): Promise<Actor[]> {
  const { by, below, names, credit, passwordHash } = added;
  const { networkId } = below;
  const players: Actor[] = [];
  const base = {
    role: 'user',
    passwordHash,
    commission: 0,
    isCommissionGranted: false,
    note: 'bench',
    active: true,
  } as const;
  for (const username of names) {
    const id = services.newId();
    const chain = [...below.chain, id];
    await insertAccount(tx, { ...base, username, id, networkId, parentId: below.id, chain, at: services.clock.now() });
    players.push({ id, username, role: 'user', networkId, chain });
  }
  const created = players.map(({ id, username }) => ({
    accountId: by.id,
    username: by.username,
    subject: `Created user ${username}`,
    origin: ORIGIN,
    detail: { accountId: id, parentId: below.id, commission: base.commission, active: true },
  }));
  await endow(services, tx, by, players, credit, created);
  return players;
}

async function endow(
  services: Services,
  tx: Tx,
  by: Actor,
  players: readonly Actor[],
  credit: bigint,
  entries: readonly ActivityEntry[],
): Promise<void> {
  const { networkId, chain } = players[0]!;
  const own = `credit:${by.id}` as const;
  const border = `boundary:${chain[1]!}` as const;
  const issued: Posting = {
    from: ISSUANCE,
    to: own,
    amount: credit * BigInt(players.length),
    kind: 'issue',
    actorId: by.id,
    reference: null,
  };
  const across = players.map(({ id }) => ({
    id,
    half: { amount: credit, kind: 'give' as const, actorId: by.id, reference: services.newId() },
  }));
  const root = await post(tx, ROOT_NETWORK, services, [
    issued,
    ...across.map(({ half }) => ({ ...half, from: own, to: border })),
  ]);
  const given = across.map(({ id, half }): Posting => ({ ...half, from: border, to: `credit:${id}` }));
  const { transferIds } = await post(tx, networkId, services, given);
  const entry = (transferId: string, targetId: string, amount: bigint): ActivityEntry => ({
    accountId: by.id,
    username: by.username,
    subject: 'Gave credit',
    origin: ORIGIN,
    detail: { transferId, targetId, amount: Number(amount) / 100, direction: 'give' },
  });
  await appendActivity(tx, ROOT_NETWORK, services, [
    ...entries,
    entry(root.transferIds[0]!, by.id, issued.amount),
    ...transferIds.map((id, index) => entry(id, players[index]!.id, credit)),
  ]);
}
