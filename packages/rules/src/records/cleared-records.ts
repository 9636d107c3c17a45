import { BATCHES } from './sealed-records.ts';

type ClearedWith =
  | { readonly with: 'draw'; readonly drawId: string }
  | { readonly with: 'ticket'; readonly ticketId: string }
  | { readonly with: 'time'; readonly at: string; readonly models: readonly string[] };

const TRANSFER_MODELS: Readonly<Record<string, string>> = {
  3: 'refertransaction',
  4: 'refertransaction',
  12: 'refertransaction',
  8: 'usertransaction',
  14: 'usertransaction',
};

const OF_DRAW = [BATCHES, 'draw_settlings', 'settlement_pieces', 'draw_settlements'];
const OF_TICKET = ['ticket_claims', 'ticket_prints'];

/** Undefined if clearing never removes it. Mirrors the SQL functions in 0017-clear-functions.sql. */
function clearedWith(table: string, value: (column: string) => string | null): ClearedWith | undefined {
  if (OF_DRAW.includes(table)) return { with: 'draw', drawId: value('draw_id')! };
  if (OF_TICKET.includes(table)) return { with: 'ticket', ticketId: value('ticket_id')! };
  if (table === 'activity') return { with: 'time', at: value('at')!, models: ['userlog', 'upcome', 'draw'] };
  if (table === 'draws') return { with: 'time', at: value('finished_at') ?? value('draws_at')!, models: ['draw'] };
  const model = table === 'transfers' ? TRANSFER_MODELS[value('kind')!] : undefined;
  return model === undefined ? undefined : { with: 'time', at: value('at')!, models: [model] };
}

function isEverTaken(table: string): boolean {
  return [...OF_DRAW, ...OF_TICKET, 'activity', 'draws', 'transfers'].includes(table);
}

/** Times as text in record format (TEXT_SETTINGS), which sorts by time. */
export interface ClearedPeriod {
  readonly network: string;
  readonly model: string;
  readonly from: string;
  /** Start minus the longest open time of a draw, since its opening records lie earlier. */
  readonly opened: string;
  readonly until: string;
  readonly rows: number;
  readonly log_rows: number;
}

export const CLEARED_OPENED = "(starts_at - interval '2 days')::text";

export const CLEARED_PERIODS = `select network_id::text as network, model, starts_at::text as from, ${CLEARED_OPENED} as opened,
  ends_at::text as until, removed::float8 as rows, log_rows::float8 as log_rows from clearings where removed > 0`;

export const CLEARED_DRAWS = "select network_id || ' ' || draw_id as draw from cleared_draws";

export class Clearings {
  readonly periods: ReadonlyMap<string, readonly ClearedPeriod[]>;
  readonly #draws: ReadonlySet<string>;

  constructor(periods: readonly ClearedPeriod[], draws: readonly { readonly draw: string }[]) {
    this.periods = Map.groupBy(periods, ({ network }) => network);
    this.#draws = new Set(draws.map(({ draw }) => draw));
  }

  /**
   * True if clearing may have removed the record; the ticket id if that depends on a ticket. Omit `value` if only the
   * key is known.
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

const PRUNED = 'pruned';
export const PRUNED_LINE = `${PRUNED} 1`;

/** Its entries are gone; their hashes remain. */
interface PrunedBundle {
  /** Number within the installation, from 1. */
  readonly nth: number;
  /** Number within that log, from 0. */
  readonly index: number;
  readonly root: string;
}

/** Written by the sealer; matches no database row. */
export function prunedRecord({ nth, index, root }: PrunedBundle): string {
  return `${PRUNED_LINE}\n${nth}\t${index}\t${root}\n`;
}

export function readPruned([nth, index, root]: readonly string[]): PrunedBundle {
  return { nth: Number(nth), index: Number(index), root: root ?? '' };
}
