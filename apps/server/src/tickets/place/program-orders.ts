import { ownerOf, type Actor } from '../../accounts/authority.ts';
import type { BetAmongMany } from '@drawhouse/contract/tickets/bulk-bets';
import type { Role } from '@drawhouse/contract/core/primitives';
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../platform/db/database.ts';
import type { ApiKeyCaller } from '../../platform/http/handler.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { inSubtree } from '../../platform/db/visibility-predicate.ts';
import { orderOf, type BetOrder } from './bet-order.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { TICKET_TEXTS } from '../tickets-texts.ts';

const MAX_PLAYERS = 100_000;

export interface ProgramOrders {
  /** One error per ticket with an unknown player. */
  of(this: void, bets: readonly BetAmongMany[], key: ApiKeyCaller, ip: string): Promise<(BetOrder | CallError)[]>;
}

/** Caches accounts by unique id, which never changes. Betting permission is judged per bet. */
export function createProgramOrders(db: Queryable): ProgramOrders {
  let cache: LRUCache<string, Actor> | undefined;
  /** Allocated lazily for the first program. A restore changes the network number. */
  const playerCache = (): LRUCache<string, Actor> => (cache ??= new LRUCache({ max: MAX_PLAYERS }));

  async function learn({ accountId, networkId }: ApiKeyCaller, names: readonly string[]): Promise<void> {
    const rows = await db.query<{ id: string; unique_id: string; username: string; role: Role; chain: string[] }>(
      sql`select a.id, a.unique_id, a.username, a.role, a.chain from accounts a
       where a.network_id = ${networkId} and a.unique_id = any(${names}::text[]) and a.role = 'user'
         and ${inSubtree('a', { id: accountId })}`.named('bets-players'),
    );
    for (const { unique_id, ...account } of rows)
      playerCache().set(`${networkId} ${unique_id}`, ownerOf({ ...account, networkId }));
  }

  return {
    async of(bets, key, ip) {
      requireNames(bets);
      const keyOf = ({ player }: BetAmongMany): string => `${key.networkId} ${player!}`;
      const unknown = new Set(bets.flatMap((bet) => (playerCache().has(keyOf(bet)) ? [] : bet.player!)));
      if (unknown.size > 0) await learn(key, [...unknown]);
      return bets.map((bet) => {
        const actor = playerCache().get(keyOf(bet));
        // Cached for every key of the network.
        return actor?.chain.includes(key.accountId) === true
          ? orderOf(bet, { actor, sessionId: undefined, apiKey: key.number, ip })
          : noPlayer();
      });
    },
  };
}

const noPlayer = (): CallError => new CallError('NOT_FOUND', { fields: { player: TICKET_TEXTS.noPlayer } });

function requireNames(bets: readonly BetAmongMany[]): void {
  const unnamed = bets.flatMap(({ player }, index) => (player === undefined ? [`bets.${index}.player`] : []));
  if (unnamed.length === 0) return;
  const fields = unnamed.map((field) => [field, TICKET_TEXTS.playerMissing]);
  throw new CallError('INVALID_INPUT', { fields: Object.fromEntries(fields) });
}
