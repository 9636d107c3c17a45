import type { Queryable, Tx } from '../db/database.ts';
import type { WaitingPlace } from './draw-keepers.sql.ts';

/** What a wrong answer is kept with. */
export interface Evidence {
  readonly reason: string;
  readonly question: unknown;
  readonly answer: string;
  readonly at: Date;
}

/** The place among the keepers of a draw by which wrong answers of drand are kept. */
export const OF_DRAND = -1;

/** Keeps a wrong answer for a draw, the first of each keeper and of drand. Gives whether it was that. */
export async function keepEvidence(
  tx: Tx,
  of: Pick<WaitingPlace, 'network_id' | 'id' | 'place'>,
  found: Evidence,
): Promise<boolean> {
  const kept = await tx.query(
    `insert into keeper_evidence (network_id, draw_id, place, at, reason, question, answer) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict do nothing returning place`,
    [of.network_id, of.id, of.place, found.at, found.reason, JSON.stringify(found.question), found.answer],
    'keeper-evidence',
  );
  return kept.length > 0;
}

/** A wrong answer that was kept for a draw: of the keeper at that place, or of drand. */
export interface FoundFault {
  readonly place: number;
  readonly reason: string;
  readonly at: Date;
}

/** The wrong answers that were kept for a draw, those of drand last. */
export async function readFaults(on: Queryable, networkId: number, id: string): Promise<FoundFault[]> {
  return on.query<FoundFault>(
    'select place, reason, at from keeper_evidence where network_id = $1 and draw_id = $2 order by place < 0, place',
    [networkId, id],
    'draw-faults',
  );
}
