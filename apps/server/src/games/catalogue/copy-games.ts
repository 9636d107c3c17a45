import { hundredthsOf } from '@drawhouse/contract/core/primitives';
import { sql } from '../../platform/db/sql/sql.ts';
import type { NetworkSwap } from '../../accounts/move/staged-accounts.ts';
import type { Tx } from '../../platform/db/database.ts';

/** In percent or points. Null: none. */
export interface LoggedSetting<T> {
  readonly gameId: string;
  readonly at: Date;
  readonly value: T;
}

export interface LoggedLimits {
  readonly perNumber: number | null;
  readonly perTicket: number | null;
  readonly perPlayer: number | null;
}

/** Keeps current games, and settings changed since the backup. A game assigned since starts without older settings. */
export async function keepGames(
  tx: Tx,
  { staged, live }: NetworkSwap,
  logged: {
    readonly percentages: readonly LoggedSetting<number | null>[];
    readonly limits: readonly LoggedSetting<LoggedLimits>[];
  },
): Promise<void> {
  await tx.query(
    sql`delete from network_games b where network_id = ${staged}
       and not exists (select from network_games l where l.network_id = ${live} and l.game_id = b.game_id
         and l.assigned_at = b.assigned_at)`,
  );
  await tx.query(
    sql`insert into network_games (network_id, game_id, assigned_at) select ${staged}, game_id, assigned_at from network_games
     where network_id = ${live} on conflict do nothing`,
  );
  // Beacons are superadmin settings, and changed closures would surprise players. Both stay as in the live network.
  await tx.query(
    sql`update network_games b set beacons = l.beacons, closures = l.closures from network_games l
     where b.network_id = ${staged} and l.network_id = ${live} and l.game_id = b.game_id 
       and (b.beacons, b.closures) is distinct from (l.beacons, l.closures)`,
  );
  const { percentages, limits } = logged;
  const amounts = (name: keyof LoggedLimits): (bigint | null)[] => limits.map(({ value }) => amountOf(value[name]));
  await tx.query(
    sql`update network_games b set win_percentage = logged.value
     from unnest(${gamesOf(percentages)}::uuid[], ${timesOf(percentages)}::timestamptz[],
                 ${percentages.map(({ value }) => amountOf(value))}::int[]) as logged (game_id, at, value)
     where b.network_id = ${staged} and b.game_id = logged.game_id and logged.at >= b.assigned_at`,
  );
  await tx.query(
    sql`update network_games b set per_number = logged.number, per_ticket = logged.ticket, per_player = logged.player
     from unnest(${gamesOf(limits)}::uuid[], ${timesOf(limits)}::timestamptz[], ${amounts('perNumber')}::bigint[],
                 ${amounts('perTicket')}::bigint[], ${amounts('perPlayer')}::bigint[]) as logged (game_id, at, number, ticket, player)
     where b.network_id = ${staged} and b.game_id = logged.game_id and logged.at >= b.assigned_at`,
  );
}

function gamesOf(logged: readonly LoggedSetting<unknown>[]): string[] {
  return logged.map(({ gameId }) => gameId);
}

function timesOf(logged: readonly LoggedSetting<unknown>[]): Date[] {
  return logged.map(({ at }) => at);
}

function amountOf(value: number | null): bigint | null {
  return value === null ? null : hundredthsOf(value);
}
