import type { GameRules } from '@drawhouse/rules/games/game-rules';
import { readPages } from '../audit-check.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { auditedRules, SETTLED_RESULT, TICKET_ROOT, type AuditedDrawRow, type AuditedGame } from '../audited-rows.ts';
import { sql } from '../../platform/db/sql/sql.ts';

/** A single draw is always read whole. */
const AT_ONCE = { draws: 1_000, tickets: 200_000 };

interface ChunkRow extends AuditedGame, Omit<AuditedDrawRow, 'draws_at' | 'weights'> {
  readonly unit_price: bigint | null;
  readonly closes_at: Date;
  readonly ticket_root: Buffer | null;
  readonly ticket_count: number | null;
  /** Null before the first payment. */
  readonly paid_up_to: string | null;
  readonly tickets_cleared: boolean;
}

export interface AuditedDraw extends ChunkRow {
  /** Null if invalid, which another check reports. */
  readonly rules: GameRules | null;
  /** In hundredths per winning key, including the booster. Null until payment starts. */
  readonly pays_by_key: Readonly<Record<string, number>> | null;
}

export interface DrawChunk {
  readonly networkId: number;
  readonly draws: readonly AuditedDraw[];
  readonly ids: readonly string[];
}

/** Bounds tickets per chunk. Time order keeps them adjacent on disk. */
export async function* readDrawChunks(db: Queryable): AsyncGenerator<DrawChunk> {
  const pages = readPages<ChunkRow>(
    db,
    `select d.network_id, d.id, d.game_id, g.game_key, g.family, g.digits, terms.pays, terms.unit_price, d.status as draw_status,
      ${SETTLED_RESULT} as result, d.booster,
            coalesce(d.bets_from, d.opens_at) as opens_at, least(d.closes_at, d.closed_at) as closes_at,
              ${TICKET_ROOT} as ticket_root, d.ticket_count, d.tickets_cleared,
            case d.status when 'settled' then 'ffffffff-ffff-ffff-ffff-ffffffffffff'
              when 'settling' then (select account_id from player_settlements p
                where p.network_id = d.network_id and p.draw_id = d.id order by account_id desc limit 1)
            end as paid_up_to
     from draws d left join draw_terms terms on terms.id = d.terms_id left join games g on g.id = d.game_id`,
    'd',
  );
  for await (const page of pages)
    for (const [networkId, rows] of Map.groupBy(page, (row) => row.network_id)) {
      const counts = await countTickets(db, networkId, rows);
      let draws: AuditedDraw[] = [];
      let tickets = 0;
      for (const row of rows) {
        const count = counts.get(row.id) ?? 0;
        if (draws.length > 0 && (draws.length >= AT_ONCE.draws || tickets + count > AT_ONCE.tickets)) {
          yield chunkOf(networkId, draws);
          [draws, tickets] = [[], 0];
        }
        draws.push(toAudited(row));
        tickets += count;
      }
      yield chunkOf(networkId, draws);
    }
}

const chunkOf = (networkId: number, draws: readonly AuditedDraw[]): DrawChunk => ({
  networkId,
  draws,
  ids: draws.map(({ id }) => id),
});

async function countTickets(db: Queryable, networkId: number, rows: readonly ChunkRow[]): Promise<Map<string, number>> {
  const counts = await db.query<{ draw_id: string; count: bigint }>(
    sql`select draw_id, count(*) from tickets
      where network_id = ${networkId} and draw_id = any(${rows.map((row) => row.id)}::uuid[]) group by draw_id`,
  );
  return new Map(counts.map(({ draw_id, count }) => [draw_id, Number(count)]));
}

function toAudited(row: ChunkRow): AuditedDraw {
  const rules = row.unit_price === null ? null : auditedRules(row);
  const { draw_status, result, booster } = row;
  // Settled draws have a result, by another check.
  const isDrawn =
    (draw_status === 'settled' || draw_status === 'settling') &&
    booster !== null &&
    rules !== null &&
    rules.isResult(result);
  const pays = isDrawn ? rules.winningBets(result).map((bet) => [bet.key, bet.payHundredths * booster] as const) : null;
  return { ...row, rules, pays_by_key: pays && Object.fromEntries(pays) };
}
