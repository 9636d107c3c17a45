import type { BetTicket } from '@drawhouse/contract/reports/bet-list';
import { pointsOf } from '@drawhouse/contract/frame/primitives';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Sql } from '../../platform/db/sql/sql.ts';
import { timeOfId } from '../../platform/db/sql/uuids.ts';
import type { DrawRow } from '../../draws/draws.sql.ts';
import { rulesOf } from '../../games/games.sql.ts';
import { ticketNumber } from '../../tickets/ticket-number.ts';
import { numbersOf, shownResult } from './visible-results.ts';
import type { OutcomeImages } from './visible-results.ts';
import { networkSql } from '../../platform/db/cross-network-sql.ts';

export interface BetRow
  extends
    Pick<DrawRow, 'game_key' | 'name' | 'family' | 'digits' | 'draw_status' | 'void_cause' | 'source' | 'booster'>,
    Pick<DrawRow, 'result' | 'result_label' | 'opens_at' | 'closes_at' | 'draws_at' | 'game_id'> {
  id: string;
  draw_id: string;
  user_id: string;
  username: string;
  role: BetTicket['role'];
  stake: bigint;
  win: bigint | null;
  claimed_at: Date | null;
  key_name: string | null;
}

/** Select list for {@link BetRow} over `standingOn`'s joins. */
export function betOf(network: number | undefined): Sql {
  return sql`t.id, t.draw_id, a.id as user_id, a.username, a.role, t.stake, g.id as game_id, g.game_key, g.name, g.family, g.digits,
  d.status as draw_status, d.void_cause, d.source, d.booster, d.result, d.result_label, d.opens_at, d.closes_at, d.draws_at,
  case when d.status = 'settled' then coalesce(w.win, 0) end as win,
  case when w.win is not null then case when s.manual_claims then c.claimed_at else s.settled_at end end as claimed_at,
  case when t.api_key <> 0 then (select k.name from api_keys k where k.network_id = ${networkSql(network, 't.network_id')} and k.number = t.api_key) end as key_name`;
}

export function toBetTicket(row: BetRow, images: OutcomeImages): BetTicket {
  const result = row.draw_status === 'settled' ? row.result : null;
  const rules = rulesOf({ ...row, pays: null });
  return {
    _id: row.id,
    ticketId: ticketNumber(row.id),
    gameId: row.game_key,
    gameName: row.name,
    family: row.family,
    userId: row.user_id,
    username: row.username,
    role: row.role,
    // Tickets are sorted and filtered by it.
    placedAt: timeOfId(row.id).toISOString(),
    drawId: row.draw_id,
    timeopen: row.opens_at.toISOString(),
    timeclose: row.closes_at.toISOString(),
    drawsAt: row.draws_at.toISOString(),
    status: row.draw_status,
    voidCause: row.void_cause,
    playpoints: pointsOf(row.stake),
    winpoints: row.win === null ? null : pointsOf(row.win),
    resultIds: result ? numbersOf(rules, result) : [],
    result,
    resultText: result && row.result_label,
    outcome: result && shownResult(rules, images, result),
    booster: result && row.booster,
    source: result && row.source,
    claimdate: row.claimed_at?.toISOString() ?? null,
    apiKey: row.key_name,
  };
}
