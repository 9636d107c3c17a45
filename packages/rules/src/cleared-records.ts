/** How the clearing of history takes a record away: with the tickets of a draw, with a ticket, or with whatever is of a time. */
export type ClearedWith =
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

const OF_DRAW = [
  'tickets',
  'ticket_wins',
  'draw_settlings',
  'settlement_pieces',
  'draw_settlements',
  'player_settlements',
];
const OF_TICKET = ['ticket_claims', 'ticket_prints'];

/**
 * How clearing would take a sealed record of a table away; undefined where it never does. `value` gives its columns. Which functions of the database remove
 * what stands in 0013-clear-functions.sql.
 */
export function clearedWith(table: string, value: (column: string) => string | null): ClearedWith | undefined {
  if (OF_DRAW.includes(table)) return { with: 'draw', drawId: value('draw_id')! };
  if (OF_TICKET.includes(table)) return { with: 'ticket', ticketId: value('ticket_id')! };
  if (table === 'transfers') {
    const model = TRANSFER_MODELS[value('kind')!];
    return model === undefined ? undefined : { with: 'time', at: value('at')!, models: [model] };
  }
  if (table === 'activity') return { with: 'time', at: value('at')!, models: ['userlog', 'upcome', 'result', 'draw'] };
  const finished = table === 'draws' ? value('finished_at') : null;
  return finished === null ? undefined : { with: 'time', at: finished, models: ['draw'] };
}
