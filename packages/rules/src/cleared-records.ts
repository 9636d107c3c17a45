import { BATCHES } from './sealed-records.ts';

/** How the clearing of history takes a record away: with the tickets of a draw, with a ticket, or with whatever is of a time. */
type ClearedWith =
  | { readonly with: 'draw'; readonly drawId: string }
  | { readonly with: 'ticket'; readonly ticketId: string }
  | { readonly with: 'time'; readonly at: string; readonly models: readonly string[] };

/** The models that take transfers, by their kind: only kinds that are sealed by themselves. */
const TRANSFER_MODELS: Readonly<Record<string, string>> = {
  3: 'refertransaction',
  4: 'refertransaction',
  12: 'refertransaction',
  8: 'usertransaction',
  14: 'usertransaction',
};

const OF_DRAW = [BATCHES, 'draw_settlings', 'settlement_pieces', 'draw_settlements'];
const OF_TICKET = ['ticket_claims', 'ticket_prints'];

/**
 * How clearing would take a sealed record of a table away; undefined where it never does. `value` gives its columns. The functions of the database that remove
 * rows are in 0010-clear-functions.sql.
 */
function clearedWith(table: string, value: (column: string) => string | null): ClearedWith | undefined {
  if (OF_DRAW.includes(table)) return { with: 'draw', drawId: value('draw_id')! };
  if (OF_TICKET.includes(table)) return { with: 'ticket', ticketId: value('ticket_id')! };
  if (table === 'activity') return { with: 'time', at: value('at')!, models: ['userlog', 'upcome', 'draw'] };
  // Earlier records of a draw tell of it before it ended.
  if (table === 'draws') return { with: 'time', at: value('finished_at') ?? value('draws_at')!, models: ['draw'] };
  const model = table === 'transfers' ? TRANSFER_MODELS[value('kind')!] : undefined;
  return model === undefined ? undefined : { with: 'time', at: value('at')!, models: [model] };
}

/** Whether clearing takes any record of a table. */
function isEverTaken(table: string): boolean {
  return [...OF_DRAW, ...OF_TICKET, 'activity', 'draws', 'transfers'].includes(table);
}

/** What a model of a clearing took of a network; its times in the text form that records have (TEXT_SETTINGS), which sorts by time. */
export interface ClearedPeriod {
  readonly network: string;
  readonly model: string;
  readonly from: string;
  /** A draw may have been open for so long before: what told of it lies earlier. */
  readonly opened: string;
  readonly until: string;
  /** How many rows it took, and how many of them were of the log. */
  readonly rows: number;
  readonly log_rows: number;
}

/** SQL for the `opened` of one. */
export const CLEARED_OPENED = "(starts_at - interval '2 days')::text";

/** SQL for each {@link ClearedPeriod}. */
export const CLEARED_PERIODS = `select network_id::text as network, model, starts_at::text as from, ${CLEARED_OPENED} as opened,
  ends_at::text as until, removed::float8 as rows, log_rows::float8 as log_rows from clearings where removed > 0`;

/** SQL for the draws whose tickets were cleared: `draw` is the number of the network, a space and the id. */
export const CLEARED_DRAWS = "select network_id || ' ' || draw_id as draw from cleared_draws";

/** What the database tells of clearings. */
export class Clearings {
  /** By the number of the network. */
  readonly periods: ReadonlyMap<string, readonly ClearedPeriod[]>;
  readonly #draws: ReadonlySet<string>;

  constructor(periods: readonly ClearedPeriod[], draws: readonly { readonly draw: string }[]) {
    this.periods = Map.groupBy(periods, ({ network }) => network);
    this.#draws = new Set(draws.map(({ draw }) => draw));
  }

  /**
   * Whether clearing may have taken a sealed record of a network, or the id of the ticket that it went with if it did. `value` gives its columns; of a
   * record of which the key alone is known it is left out.
   */
  mayHaveTaken(
    network: string,
    table: string,
    value: ((column: string) => string | null) | undefined,
  ): boolean | { readonly ticketId: string } {
    const periods = this.periods.get(network) ?? [];
    if (periods.length === 0) return false;
    if (value === undefined) return isEverTaken(table);
    const how = clearedWith(table, value);
    if (how === undefined) return false;
    if (how.with === 'draw') return this.#draws.has(`${network} ${how.drawId}`);
    if (how.with === 'ticket') return { ticketId: how.ticketId };
    return periods.some(
      ({ model, from, opened, until }) =>
        how.models.includes(model) && how.at >= (model === 'draw' ? opened : from) && how.at < until,
    );
  }
}
