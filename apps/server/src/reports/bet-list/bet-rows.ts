import type { BetTicket, ShownOutcome } from '@drawhouse/contract/reports/bet-list';
import { pointsOf } from '@drawhouse/contract/core/primitives';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import { timeOfId } from '../../platform/db/sql/uuids.ts';
import { correctedAt, type DrawRow } from '../../draws/draws.sql.ts';
import { rulesOf } from '../../games/games.sql.ts';
import { ticketNumber } from '../../tickets/ticket-number.ts';
import { networkOrColumnSql, singleNetwork } from '../../platform/db/cross-network-sql.ts';
import { memoizeByObject } from '@drawhouse/rules/memoize';
import type { GameRules, Outcome, Result } from '@drawhouse/rules/games/rules';
import { dayWords } from '@drawhouse/rules/time/zone-days';
import type { Actor } from '../../accounts/authority.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { isWished, mayBeSeen, type BetFilter } from './bet-list.sql.ts';
import { REPORT_TEXTS } from '../reports-texts.ts';

export interface BetRow
  extends
    Pick<
      DrawRow,
      'game_key' | 'name' | 'family' | 'digits' | 'draw_status' | 'void_cause' | 'source' | 'booster' | 'outside'
    >,
    Pick<DrawRow, 'result' | 'result_label' | 'opens_at' | 'closes_at' | 'draws_at' | 'game_id'> {
  id: string;
  draw_id: string;
  user_id: string;
  username: string;
  role: BetTicket['role'];
  stake: bigint;
  win: bigint | null;
  claimed_at: Date | null;
  corrected_at: Date | null;
  key_name: string | null;
}

export function betOf(network: number | undefined): Sql {
  return sql`t.id, t.draw_id, a.id as user_id, a.username, a.role, t.stake, g.id as game_id, g.game_key, g.name, g.family, g.digits,
  d.status as draw_status, d.void_cause, d.source, d.outside,
  ${correctedAt(networkOrColumnSql(network, 'd.network_id'))} as corrected_at, d.booster, d.result, d.result_label,
  d.opens_at, d.closes_at, d.draws_at,
  case when d.status = 'settled' then coalesce(w.win, 0) end as win,
  case when w.win is not null then coalesce(w.corrected_at,
    case when s.manual_claims then c.claimed_at else s.settled_at end) end as claimed_at,
  case when t.api_key <> 0 then (select k.name from api_keys k where k.network_id = ${networkOrColumnSql(network, 't.network_id')}
    and k.number = t.api_key) end as key_name`;
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
    placedAt: timeOfId(row.id).toISOString(),
    drawId: row.draw_id,
    timeopen: row.opens_at.toISOString(),
    timeclose: row.closes_at.toISOString(),
    drawsAt: row.draws_at.toISOString(),
    outside: row.outside,
    correctedAt: row.corrected_at?.toISOString() ?? null,
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

type OutcomeImages = readonly string[] | undefined;

/** Cached per game: results of a million rows are read through it. */
interface Lookup {
  /** `index` among outcomes with images; -1 for others, such as suits. */
  readonly outcomes: ReadonlyMap<string, { readonly outcome: Outcome; readonly index: number }>;
  readonly groups: ReadonlyMap<string, { readonly series: string | null; readonly subseries: string | null }>;
}

const lookupOf = memoizeByObject((rules: GameRules): Lookup => {
  const others = [...(rules.cardTypes ?? []), ...(rules.colors ?? [])];
  return {
    outcomes: new Map([
      ...others.map((outcome) => [outcome.drawno, { outcome, index: -1 }] as const),
      ...rules.outcomes.map((outcome, index) => [outcome.drawno, { outcome, index }] as const),
    ]),
    groups: new Map(
      rules.outcomes.map(({ series = null, subseries = null }) => [subseries ?? series ?? '', { series, subseries }]),
    ),
  };
});

function numbersOf(rules: GameRules, result: Result): BetTicket['resultIds'] {
  if (!('winners' in result)) return [{ series: null, subseries: null, drawno: result.drawno }];
  const { groups } = lookupOf(rules);
  return Object.entries(result.winners).map(([group, drawno]) => ({
    ...(groups.get(group) ?? { series: group, subseries: null }),
    drawno,
  }));
}

/** Null if the number is not an outcome, such as a triple's last two digits. */
export function shownOutcome(rules: GameRules, images: OutcomeImages, drawno: string): ShownOutcome | null {
  const found = lookupOf(rules).outcomes.get(drawno);
  if (!found) return null;
  const { label, color = null } = found.outcome;
  return { drawno, label, color, image: images?.[found.index] ?? null };
}

/** Andar Bahar includes the suit. Null if several numbers were drawn. */
export function shownResult(rules: GameRules, images: OutcomeImages, result: Result): ShownOutcome | null {
  const shown = 'drawno' in result ? shownOutcome(rules, images, result.drawno) : null;
  if (!shown || !('suit' in result)) return shown;
  const suit = shownOutcome(rules, undefined, result.suit)?.label ?? '';
  return { ...shown, label: shown.label + suit, color: result.color };
}

/** Network `n`, draw `d`, player `a`, game `g`. */
export function undoneIn(networks: readonly number[]): Sql {
  const one = singleNetwork(networks);
  return sql`unnest(${networks}::int[]) as n (id) join undone_tickets t on t.network_id = ${networkOrColumnSql(one, 'n.id')}
    join undone_draws d on d.network_id = ${networkOrColumnSql(one, 't.network_id')} and d.id = t.draw_id
    join accounts a on a.id = t.account_id join games g on g.id = d.game_id`;
}

export async function undoneNote(on: Queryable, wish: BetFilter, actor: Actor): Promise<string | null> {
  const { networks } = wish.scope;
  const [row] = await on.query<{
    tickets: bigint;
    last: Date;
  }>(sql`select count(*) as tickets, max(d.undone_at) as last from ${undoneIn(networks)}
        where ${isWished(wish)} and ${mayBeSeen(wish, actor)}
          and not exists (select from tickets s where s.network_id = ${networkOrColumnSql(singleNetwork(networks), 't.network_id')}
            and s.id = t.id)`);
  const { tickets, last } = row!;
  if (tickets === 0n) return null;
  const [were, are] = tickets === 1n ? [REPORT_TEXTS.undoneOne, 'is'] : [REPORT_TEXTS.undoneMany(tickets), 'are'];
  return REPORT_TEXTS.undone(were, dayWords(last, wish.timeZone), are);
}
