import {
  bulkPlayerLimit,
  confirmOwnLimit,
  endPlayerExclusion,
  excludeOneself,
  excludePlayer,
  ownProtection,
  ownProtectionHistory,
  playerProtection,
  playerProtectionHistory,
  setOwnLimit,
  setPlayerLimit,
  takeBreak,
  withdrawOwnLimit,
  type ShownProtection,
} from '@drawhouse/contract/players/protection';
import type { Actor } from '../accounts/authority.ts';
import { lockTarget, lockTargets, type EndSessionsBelow } from '../accounts/change/lock-target.ts';
import { runCommandDuringRestore, type Done, type LoggedPart } from '../activity/run-command.ts';
import type { RouteParsed } from '@drawhouse/contract/core/route';
import { lockWallets } from '../ledger/post.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import { handle, type BoundRoute, type Call } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { inSubtree } from '../platform/db/visibility-predicate.ts';
import type { Services } from '../platform/services.ts';
import type { LimitValue, Pause, PauseLength } from '@drawhouse/rules/records/limits-in-force';
import {
  confirmOwn,
  endExclusion,
  limitValueOf,
  pause,
  setManagers,
  setOwn,
  withdrawOwn,
  type ChangedProtection,
  type ProtectionOrder,
} from './change-protection.ts';
import type { PlayerKey } from './protection.sql.ts';
import { lockRootLog } from '../activity/append-activity.ts';
import { showHistory, showProtection } from './show-protection.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { PROTECTION_TEXTS } from './protection-texts.ts';

export interface ExclusionHooks {
  readonly endSessionsBelow: EndSessionsBelow;
  /** Claims for excluded players, at a time taken with their wallets locked. */
  readonly claimWaiting: (
    tx: Tx,
    players: { readonly networkId: number; readonly accountIds: readonly string[] },
    at: Date,
  ) => Promise<void>;
}

type Command = (tx: Tx, order: ProtectionOrder) => Promise<Done<ChangedProtection>>;
type Answer = Promise<{ message: string; data: ShownProtection }>;

export function protectionRoutes(services: Services, hooks: ExclusionHooks): BoundRoute<Actor>[] {
  return [...ownRoutes(services, hooks), ...managerRoutes(services, hooks)];
}

function ownRoutes(services: Services, hooks: ExclusionHooks): BoundRoute<Actor>[] {
  const { db } = services;
  const own = (call: Call<Actor>, command: Command): Answer =>
    runCommandDuringRestore(services, call, async (tx) => {
      const { result, ...done } = await command(tx, ownOrder(call.actor));
      const data = await showProtection(services, tx, call.actor, new Set([call.sessionId]));
      return { ...done, result: { message: result.message, data } };
    });

  return [
    handle(ownProtection, async (_input, { actor, sessionId }) => ({
      data: await db.snapshot((on) => showProtection(services, on, actor, new Set([sessionId]))),
    })),
    handle(ownProtectionHistory, ({ query }, { actor }) => showHistory(db, actor, query, 'player')),
    handle(setOwnLimit, ({ params: { limit }, body }, call) => {
      const value = limitValueOf(limit, body.value);
      return own(call, (tx, order) => setOwn(services, tx, order, limit, value));
    }),
    handle(confirmOwnLimit, ({ params: { limit } }, call) =>
      own(call, (tx, order) => confirmOwn(services, tx, order, limit)),
    ),
    handle(withdrawOwnLimit, ({ params: { limit } }, call) =>
      own(call, (tx, order) => withdrawOwn(services, tx, order, limit)),
    ),
    handle(takeBreak, ({ body: { length } }, call) =>
      own(call, (tx, order) => pause(services, tx, order, { what: 'break', length })),
    ),
    handle(excludeOneself, ({ body: { length } }, call) =>
      runCommandDuringRestore(services, call, async (tx) => {
        // Same lock as sign-in: a concurrent session is either ended here or refused.
        await tx.query(sql`select from accounts where id = ${call.actor.id} for no key update`);
        const { result, ...done } = await exclude(services, tx, ownOrder(call.actor), length, hooks);
        call.setSessionCookie(null);
        const excludedUntil = result.after.excludedUntil!.toISOString();
        return { ...done, result: { message: result.message, excludedUntil } };
      }),
    ),
  ];
}

function ownOrder({ id, networkId, username }: Actor): ProtectionOrder {
  return { player: { id, networkId, username }, by: { id, side: 'player' }, reason: '' };
}

function managerRoutes(services: Services, hooks: ExclusionHooks): BoundRoute<Actor>[] {
  const { db } = services;
  const change = (call: Call<Actor>, playerId: string, reason: string | undefined, command: Command): Answer =>
    runCommandDuringRestore(services, call, async (tx) => {
      const { id, network_id: networkId, username } = await lockTarget(tx, call.actor, { id: playerId, role: 'user' });
      const player = { id, networkId, username };
      const order = { player, by: { id: call.actor.id, side: 'manager' }, reason: reason ?? '' } as const;
      const { result, ...done } = await command(tx, order);
      return { ...done, result: { message: result.message, data: await showProtection(services, tx, player) } };
    });

  return [
    handle(playerProtection, async ({ params }, { actor }) => ({
      data: await db.snapshot(async (on) => showProtection(services, on, await findPlayer(on, actor, params.playerId))),
    })),
    handle(playerProtectionHistory, async ({ params, query }, { actor }) =>
      showHistory(db, await findPlayer(db, actor, params.playerId), query, 'manager'),
    ),
    handle(setPlayerLimit, ({ params: { playerId, limit: name }, body }, call) => {
      const value = limitValueOf(name, body.value);
      return change(call, playerId, body.reason, (tx, order) =>
        setManagers(services, tx, order, {
          name,
          value,
          boundFromAbove: () => boundFromAbove(tx, call.actor, order.player, name),
        }),
      );
    }),
    handle(bulkPlayerLimit, ({ body }, call) => setLimits(services, call, body)),
    handle(excludePlayer, ({ params: { playerId }, body: { length, reason } }, call) =>
      change(call, playerId, reason, async (tx, order) => {
        // Claims are logged to the network first.
        if (call.actor.networkId !== order.player.networkId) await lockRootLog(tx);
        return exclude(services, tx, order, length, hooks);
      }),
    ),
    handle(endPlayerExclusion, ({ params: { playerId }, body: { reason } }, call) =>
      change(call, playerId, reason, (tx, order) =>
        endExclusion(services, tx, order, (exclusion) => isFromAbove(tx, call.actor, order.player, exclusion)),
      ),
    ),
  ];
}

/** All or nothing, with a log row each. Errors name the player. */
function setLimits(
  services: Services,
  call: Call<Actor>,
  { ids, limit: name, value: sent, reason = '' }: RouteParsed<typeof bulkPlayerLimit>['body'],
): Promise<{ message: string; changed: number }> {
  const value = limitValueOf(name, sent);
  const { actor } = call;
  return runCommandDuringRestore(services, call, async (tx) => {
    const targets = await lockTargets(tx, actor, ids, 'user');
    // In one order with other commands: `setManagers` locks the same wallets one player at a time.
    for (const [networkId, players] of [...Map.groupBy(targets, (player) => player.network_id)].sort(
      ([a], [b]) => a - b,
    ))
      await lockWallets(
        tx,
        networkId,
        players.flatMap(({ id }) => [`credit:${id}`, `winnings:${id}`] as const),
      );
    const more: LoggedPart[] = [];
    for (const { id, network_id: networkId, username } of targets) {
      const player = { id, networkId, username };
      const order = { player, by: { id: actor.id, side: 'manager' }, reason } as const;
      const boundFromAboveActor = () => boundFromAbove(tx, actor, player, name);
      const set = await naming({ nth: ids.indexOf(id), username }, () =>
        setManagers(services, tx, order, { name, value, boundFromAbove: boundFromAboveActor }),
      );
      if (set.subject !== null) more.push({ ...set, subject: set.subject });
    }
    const players = `${ids.length} player${ids.length === 1 ? '' : 's'}`;
    return { result: { message: PROTECTION_TEXTS.setForMany(players), changed: more.length }, subject: null, more };
  });
}

async function naming<T>(row: { readonly nth: number; readonly username: string }, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    throw new CallError(error.code, { fields: { [`ids.${row.nth}`]: `${row.username}: ${error.message}` } });
  }
}

/** The player can no longer sign in, so waiting wins are claimed. */
async function exclude(
  services: Services,
  tx: Tx,
  order: ProtectionOrder,
  length: PauseLength,
  { endSessionsBelow, claimWaiting }: ExclusionHooks,
): Promise<Done<ChangedProtection>> {
  const done = await pause(services, tx, order, { what: 'exclusion', length });
  const { id, networkId } = order.player;
  await endSessionsBelow(tx, id, 'itself');
  await claimWaiting(tx, { networkId, accountIds: [id] }, done.result.at);
  return done;
}

async function findPlayer(on: Queryable, actor: Actor, id: string): Promise<PlayerKey> {
  const [found] = await on.query<{ id: string; networkId: number }>(
    sql`select a.id, a.network_id as "networkId" from accounts a where a.id = ${id} and a.role = 'user' and ${inSubtree('a', actor)}`.named(
      'protection-player',
    ),
  );
  if (!found) throw new CallError('NOT_FOUND');
  return found;
}

/**
 * Latest limit set from above the actor, who may not loosen beyond it. Unknown authors (after a restore or move) count
 * as above.
 */
async function boundFromAbove(
  tx: Tx,
  actor: Actor,
  { networkId, id }: PlayerKey,
  name: string,
): Promise<{ readonly value: LimitValue } | undefined> {
  const [set] = await tx.query<{ value: bigint | null }>(
    sql`select c.after as value from protection_changes c left join accounts a on a.id = c.by_account
     where c.network_id = ${networkId} and c.account_id = ${id} and c.what = ${name} and c.side = 'manager'
       and (a.id is null or not a.chain @> array[${actor.id}]::uuid[])
     order by c.nth desc limit 1`.named('protection-bound'),
  );
  return set;
}

/** Begun outside the actor's subtree. Unknown authors count as above. */
async function isFromAbove(tx: Tx, actor: Actor, { networkId, id }: PlayerKey, { until }: Pause): Promise<boolean> {
  const [begun] = await tx.query<{ above: boolean }>(
    sql`select a.id is null or not a.chain @> array[${actor.id}]::uuid[] as above
     from protection_changes c left join accounts a on a.id = c.by_account
     where c.network_id = ${networkId} and c.account_id = ${id} and c.what = 'exclusion' and c.side = 'manager'
       and c.step = 'set' and c.until = ${until}
     order by c.nth desc limit 1`.named('protection-begun-by'),
  );
  return begun!.above;
}
