import { randomBytes } from 'node:crypto';
import { MOST_AHEAD, MOST_AHEAD_DAYS } from '@drawhouse/contract/tickets/advance-tickets';
import type { DrawTimes } from '@drawhouse/rules/time/clock-slots';
import { comingDraws } from '@drawhouse/rules/time/schedule';
import { tablesAreBelow } from '../../accounts/accounts.sql.ts';
import { shareBooksLock } from '../../activity/network-work/closed-books.ts';
import { cadenceOf, findOwnPair, type PairRow } from '../../games/games.sql.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { PanelKey } from '../../platform/services.ts';
import { insertDraws, lastOpened } from '../draws.sql.ts';
import { drawOfTimes, idsOfBatch, logOpenings, SEED_BYTES, type OpenerParts } from './open-draws.ts';

const DAY_MS = 86_400_000;

export async function comingAhead(on: Queryable, pair: PairRow, now: Date): Promise<DrawTimes[]> {
  if (!pair.schedule || !pair.running) return [];
  const { network_id: network, game_id: game } = pair;
  const [last] = await on.query<{ draws_at: Date }>(
    sql`select draws_at from draws where network_id = ${network} and id = ${lastOpened(sql`${network}`, sql`${game}::uuid`, now)}`.named(
      'draws-last-end',
    ),
  );
  const until = now.getTime() + MOST_AHEAD_DAYS * DAY_MS;
  const draws = comingDraws(now, cadenceOf(pair), last?.draws_at ?? null, MOST_AHEAD);
  return draws.filter(({ opensAt, drawsAt }) => opensAt > now && drawsAt.getTime() <= until);
}

export interface AheadDraw {
  readonly id: string;
  readonly number: number;
  readonly draws_at: Date;
}

/** Uses the current terms and rates. Returns draws by draw time. */
export async function openAhead(
  parts: OpenerParts,
  key: PanelKey,
  numbers: readonly number[],
): Promise<readonly AheadDraw[]> {
  const { db, clock } = parts.services;
  const found = await findAhead(db, key, numbers);
  if (found.length === numbers.length) return found;
  await db.transaction(async (tx) => {
    if (!(await shareBooksLock(tx, key.networkId))) throw new CallError('NETWORK_RESTORING');
    const pair = await lockPair(tx, key);
    const now = clock.now();
    const slots = (await comingAhead(tx, pair, now)).filter(({ number }) => numbers.includes(number));
    const nextId = idsOfBatch(parts.services);
    const draws = slots.flatMap((slot) => {
      const draw = drawOfTimes(parts, pair, slot, { seed: randomBytes(SEED_BYTES), id: nextId });
      return draw ? [{ ...draw, game_key: key.gameKey, bets_from: now }] : [];
    });
    const opened = await insertDraws(tx, key.networkId, draws);
    await logOpenings(tx, parts.services, key.networkId, opened);
  });
  return findAhead(db, key, numbers);
}

/** Settings must not change, and other servers must not open a draw. */
async function lockPair(tx: Tx, key: PanelKey): Promise<PairRow> {
  await tx.query(
    sql`select from network_games ng join games g on g.id = ng.game_id
     where ng.network_id = ${key.networkId} and g.game_key = ${key.gameKey} for no key update of ng for share of g`.named(
      'pair-to-open-ahead',
    ),
  );
  const pair = await findOwnPair(tx, key);
  const network = sql`${key.networkId}::int`;
  const [table] = await tx.query<{ below: boolean }>(sql`select ${tablesAreBelow(network)} as below`);
  if (!pair?.running || table!.below) throw new CallError('GAME_UNAVAILABLE');
  return pair;
}

async function findAhead(on: Queryable, key: PanelKey, numbers: readonly number[]): Promise<AheadDraw[]> {
  const rows = await on.query<{ id: string; number: bigint; draws_at: Date }>(
    sql`select d.id, d.clock_number as number, d.draws_at from draws d join games g on g.id = d.game_id
     where d.network_id = ${key.networkId} and g.game_key = ${key.gameKey} and d.clock_number = any(${numbers}::bigint[])
     order by d.draws_at`.named('draws-by-clock'),
  );
  return rows.map(({ id, number, draws_at }) => ({ id, number: Number(number), draws_at }));
}
