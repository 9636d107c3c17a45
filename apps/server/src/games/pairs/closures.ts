import { planOf, type GameClosures } from '@drawhouse/contract/games/schedules';
import { clockNumber, type Closures } from '@drawhouse/rules/time/clock-slots';
import { drawName } from '@drawhouse/rules/time/draw-name';
import type { Actor } from '../../accounts/authority.ts';
import { changeOf } from '../../activity/append-activity.ts';
import { runCommand } from '../../activity/run-command.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call } from '../../platform/http/handler.ts';
import { listPairs, type PairRow } from '../games.sql.ts';
import { GAME_SUBJECTS, GAME_TEXTS } from '../games-texts.ts';
import { requireAdmin } from './game-limits.ts';
import { lockPairs, pairId, panelChanged } from './pairs.ts';

const NONE: Closures = { days: [], hours: [] };

export async function readClosures(on: Queryable, actor: Actor, adminId: string): Promise<GameClosures[]> {
  await requireAdmin(on, actor, adminId);
  return (await listPairs(on, actor)).filter((pair) => pair.admin_id === adminId).map(toRow);
}

function toRow(pair: PairRow): GameClosures {
  const { days, hours } = pair.closures ?? NONE;
  return {
    id: pairId(pair),
    gameId: pair.game_key,
    gameName: pair.name,
    seconds: pair.interval_seconds,
    schedule: pair.schedule && planOf(pair.schedule),
    days: [...days],
    hours: [...hours],
  };
}

/** Draws bought ahead that the closures would remove. */
export type TicketsAgainst = (on: Queryable, pair: PairRow, now: Date) => Promise<Date[]>;

/** All or none. The pair's lock keeps draws from opening meanwhile. */
export async function changeClosures(
  services: Services,
  ticketsAgainst: TicketsAgainst,
  call: Call<Actor>,
  adminId: string,
  updates: readonly ({ readonly id: string } & Closures)[],
): Promise<GameClosures[]> {
  return runCommand(services, call, async (tx) => {
    const username = await requireAdmin(tx, call.actor, adminId);
    const pairs = await lockPairs(tx, call.actor, updates, adminId);
    const set = pairs.map((pair, index): PairRow => {
      const { days, hours } = updates[index]!;
      return { ...pair, closures: days.length + hours.length === 0 ? null : { days, hours } };
    });
    const changed = set.filter((pair, index) => wordsOf(pair.closures) !== wordsOf(pairs[index]!.closures));
    for (const pair of changed) await requireNoTickets(services, tx, ticketsAgainst, pair);
    for (const { network_id: network, game_id: game, closures } of changed)
      await tx.query(
        sql`update network_games set closures = ${closures && JSON.stringify(closures)}
         where network_id = ${network} and game_id = ${game}`,
      );
    for (const pair of changed) panelChanged(services, tx, pair);
    const [first] = changed;
    return {
      result: set.map(toRow),
      subject: first
        ? GAME_SUBJECTS.closuresSet(changed.length === 1 ? first.name : `${changed.length} games`, username)
        : null,
      detail: {
        adminId,
        adminName: username,
      },
      changes: changed.flatMap((pair) =>
        changeOf(
          'No draws',
          wordsOf(pairs[set.indexOf(pair)]!.closures) || null,
          wordsOf(pair.closures) || null,
          pair.name,
        ),
      ),
    };
  });
}

async function requireNoTickets(
  { clock, timeZone }: Services,
  tx: Tx,
  ticketsAgainst: TicketsAgainst,
  pair: PairRow,
): Promise<void> {
  const sold = await ticketsAgainst(tx, pair, clock.now());
  if (sold.length === 0) return;
  const names = sold.map((at) => drawName(clockNumber(at, timeZone)));
  throw new CallError('CLOSED_WITH_TICKETS', { message: GAME_TEXTS.closedWithTickets(pair.name, names.join('; ')) });
}

function wordsOf(closures: Closures | null): string {
  const { days, hours } = closures ?? NONE;
  return [...days, ...hours.map(({ from, to }) => `${from} to ${to}`)].join(', ');
}
