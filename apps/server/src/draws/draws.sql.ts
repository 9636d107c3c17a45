import type { DrawResult, DrawView } from '@drawhouse/contract/draws';
import type { Result } from '@drawhouse/rules/rules';
import type { Pays } from '@drawhouse/rules/pays';
import type { Queryable, Tx } from '../db/database.ts';
import { gameColumns } from '../games/games.sql.ts';
import type { GameRow, PairRow } from '../games/games.sql.ts';
import type { DrawTerms } from './draw-terms.ts';
import { drawAt } from './schedule.ts';

/** How many results a strip shows. */
const RESULTS_SHOWN = 20;

/** A draw with its game; price and pays are those that it was opened with. */
export interface DrawRow extends Omit<GameRow, keyof DrawTerms>, DrawTerms {
  id: string;
  network_id: number;
  number: bigint;
  opens_at: Date;
  closes_at: Date;
  draws_at: Date;
  draw_status: DrawView['status'];
  commitment: Buffer;
  sealed_seed: Buffer;
  seed: Buffer | null;
  ticket_digest: Buffer | null;
  ticket_count: number | null;
  /** When betting closed; null while it is open. */
  closed_at: Date | null;
  saved_result: Result | null;
  saved_booster: number | null;
  saved_by: string | null;
  saved_at: Date | null;
  confirmed_by: string | null;
  result: Result | null;
  result_label: string | null;
  booster: number | null;
  source: DrawResult['source'] | null;
  /** Whether it counts in the sums of returns once it is settled. */
  counted: boolean;
}

/** A draw that opens, its bytes in hex. */
export interface NewDraw {
  readonly network_id: number;
  readonly id: string;
  readonly game_id: string;
  /** What its rules were made of: a game that has other ones meanwhile opens with the next tick. */
  readonly family: string;
  readonly digits: number;
  /** The pays that its game had of its own. */
  readonly own_pays: Pays | null;
  readonly number: number;
  readonly opens_at: Date;
  readonly closes_at: Date;
  readonly draws_at: Date;
  readonly commitment: string;
  readonly sealed_seed: string;
  readonly terms_id: string;
  readonly terms: DrawTerms;
  /** The win percentage that its terms follow from, as in the pair. */
  readonly win_percentage: number | null;
}

const DRAW = `${gameColumns('terms')}, d.id, d.network_id, d.number, d.opens_at, d.closes_at, d.draws_at,
  d.status as draw_status, d.commitment, d.sealed_seed, d.seed, terms.rules_version, terms.weights, d.ticket_digest, d.ticket_count, d.closed_at,
  d.saved_result, d.saved_booster, d.saved_by, d.saved_at, d.confirmed_by, d.result, d.result_label, d.booster, d.source, d.counted`;

/** When a closed draw ends that is ended now: not before it closed, which another server's clock may have put ahead of this one's. */
export function endOf(draw: Pick<DrawRow, 'closed_at'>, now: Date): Date {
  return draw.closed_at && draw.closed_at > now ? draw.closed_at : now;
}

/** What picks draws out: the end of a SELECT over draws `d`, games `g` and the `terms` of each draw. */
export async function selectDraws(
  on: Queryable,
  end: string,
  values: readonly unknown[],
  name?: string,
): Promise<DrawRow[]> {
  return on.query<DrawRow>(
    `select ${DRAW} from draws d join games g on g.id = d.game_id join draw_terms terms on terms.id = d.terms_id ${end}`,
    values,
    name,
  );
}

/**
 * Opens draws, and keeps their terms where no draw has had them yet. Those that another server has opened stay as they are. One whose win
 * percentage has changed meanwhile is not opened: whoever changed it was told that it holds from this draw on. Nor is one whose game was
 * deleted or given other outcomes, pays or another price at that moment; the game is held first, as by whoever changes it.
 */
export async function insertDraws(on: Queryable, draws: readonly NewDraw[]): Promise<void> {
  if (draws.length === 0) return;
  const terms = new Map(
    draws.map(({ terms_id, terms: { unit_price, ...rest } }) => [
      terms_id,
      { id: terms_id, unit_price: String(unit_price), ...rest },
    ]),
  );
  await on.query(
    `with kept as (
       insert into draw_terms (id, rules_version, unit_price, pays, weights)
       select id, rules_version, unit_price, pays, weights
       from jsonb_to_recordset($2) as t (id uuid, rules_version int, unit_price bigint, pays jsonb, weights jsonb)
       order by id on conflict do nothing
     )
     insert into draws (network_id, id, game_id, number, opens_at, closes_at, draws_at, status, commitment, sealed_seed, terms_id)
     select d.network_id, d.id, d.game_id, number, opens_at, closes_at, draws_at, 'open', decode(commitment, 'hex'), decode(sealed_seed, 'hex'), terms_id
     from jsonb_to_recordset($1) as d (network_id int, id uuid, game_id uuid, family text, digits int, number bigint, opens_at timestamptz, closes_at timestamptz,
       draws_at timestamptz, commitment text, sealed_seed text, terms_id uuid, win_percentage int, unit_price bigint, own_pays jsonb)
     join network_games ng on ng.network_id = d.network_id and ng.game_id = d.game_id and ng.win_percentage is not distinct from d.win_percentage
     join games g on g.id = d.game_id and g.family = d.family and g.digits = d.digits and g.deleted_at is null
       and g.unit_price = d.unit_price and g.pays is not distinct from d.own_pays
     order by d.network_id, d.game_id for key share of g for share of ng on conflict do nothing`,
    [
      JSON.stringify(draws.map(({ terms: { unit_price }, ...draw }) => ({ ...draw, unit_price: String(unit_price) }))),
      JSON.stringify([...terms.values()]),
    ],
  );
}

/** The draw of a pair that runs at an instant; undefined where none was opened. */
export async function runningDraw(on: Queryable, pair: PairRow, now: Date): Promise<DrawRow | undefined> {
  const [draw] = await selectDraws(
    on,
    'where d.network_id = $1 and d.game_id = $2 and d.number = $3',
    [pair.network_id, pair.game_id, drawAt(now, pair.interval_seconds).number],
    'draw-running',
  );
  return draw;
}

/** Locks a draw for a change of its state, and reads it again as it then is. */
export async function lockDraw(tx: Tx, { network_id, id }: DrawRow): Promise<DrawRow> {
  const [draw] = await selectDraws(
    tx,
    'where d.network_id = $1 and d.id = $2 for update of d',
    [network_id, id],
    'draw-lock',
  );
  return draw!;
}

/** Whether a game has a draw in any network. */
export async function hasDraws(on: Queryable, gameId: string): Promise<boolean> {
  const found = await on.query(
    'select from networks n where exists (select from draws d where d.network_id = n.id and d.game_id = $1) limit 1',
    [gameId],
  );
  return found.length > 0;
}

/** The last results of a pair as every strip shows them, newest first. */
export async function lastResults(on: Queryable, pair: PairRow): Promise<DrawResult[]> {
  const rows = await on.query<{
    id: string;
    number: bigint;
    draws_at: Date;
    result: DrawResult['result'];
    result_label: string;
    booster: number;
    source: DrawResult['source'];
  }>(
    `select id, number, draws_at, result, result_label, booster, source from draws
     where network_id = $1 and game_id = $2 and status = 'settled' order by number desc limit $3`,
    [pair.network_id, pair.game_id, RESULTS_SHOWN],
    'draw-results',
  );
  return rows.map((row) => ({
    drawno: row.result_label,
    result: row.result,
    booster: row.booster,
    source: row.source,
    drawId: row.id,
    number: Number(row.number),
    drawsAt: row.draws_at.toISOString(),
  }));
}

/** A draw as panels and players see it. */
export function toDrawView(draw: DrawRow): DrawView {
  return {
    _id: draw.id,
    number: Number(draw.number),
    opensAt: draw.opens_at.toISOString(),
    closesAt: draw.closes_at.toISOString(),
    drawsAt: draw.draws_at.toISOString(),
    status: draw.draw_status,
    commitment: draw.commitment.toString('hex'),
  };
}
