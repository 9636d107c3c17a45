import { pointsOf } from '@drawhouse/contract/core/primitives';
import { roundOfDraw } from '@drawhouse/rules/fair/beacon-rounds';
import { verifyDraw } from '@drawhouse/rules/fair/fair';
import type { Result } from '@drawhouse/rules/games/game-rules';
import type { FamilyName } from '@drawhouse/rules/games/catalogue';
import { paysInUnits, type Pays } from '@drawhouse/rules/games/pays';
import type { DrawTerms } from '@drawhouse/rules/fair/draw-terms';
import { rulesFor, type GameRules } from '@drawhouse/rules/games/rules';
import type { Queryable } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';

export interface AuditedGame {
  readonly game_key: string;
  readonly family: FamilyName;
  readonly digits: number;
  /** Hundredths per unit by head. Null: family default. */
  readonly pays: Pays | null;
}

export interface AuditedDrawRow {
  readonly id: string;
  readonly network_id: number;
  readonly game_id: string;
  readonly opens_at: Date;
  readonly closes_at: Date;
  readonly draws_at: Date;
  readonly draw_status: 'open' | 'closed' | 'drawn' | 'settling' | 'settled' | 'void';
  readonly result: Result | null;
  readonly booster: number | null;
  readonly weights: readonly number[];
}

export function auditedRules({ game_key, family, digits, pays }: AuditedGame): GameRules | null {
  try {
    return rulesFor({ gameId: game_key, family, digits, pays });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Manual changes may have changed column types. */
export function auditedPoints(amount: bigint | number | string): number {
  return pointsOf(BigInt(amount)).valueOf();
}

export interface ProvenDraw extends AuditedDrawRow, Omit<AuditedGame, 'pays'>, Omit<DrawTerms, 'weights'> {
  readonly commitment: Buffer;
  readonly beacon_signatures: readonly (Buffer | null)[] | null;
  readonly source: 'declared' | 'generated' | null;
}

export function problemsOfProof(draw: ProvenDraw, seed: Buffer): readonly string[] {
  const isVoid = draw.draw_status === 'void';
  const check = verifyDraw({
    drawId: draw.id,
    gameId: draw.game_key,
    family: draw.family,
    digits: draw.digits,
    rulesVersion: draw.rules_version,
    commitment: draw.commitment.toString('hex'),
    seed: seed.toString('hex'),
    weights: draw.weights,
    pays: paysInUnits(draw.pays),
    unitPrice: auditedPoints(draw.unit_price),
    resultMode: draw.result_mode,
    manualClaims: draw.manual_claims,
    closesAt: draw.closes_at.toISOString(),
    beacons: (draw.beacons ?? []).map((beacon, place) => ({
      ...beacon,
      round: roundOfDraw(beacon, draw.closes_at.getTime()),
      signature: draw.beacon_signatures?.[place]?.toString('hex') ?? null,
    })),
    result: draw.result,
    booster: draw.booster,
    // A void draw's result must follow from its seed; without one, nothing is compared.
    source: isVoid && draw.result === null ? 'declared' : draw.source,
    status: isVoid ? 'settled' : draw.draw_status,
  });
  return check.ok ? [] : check.problems;
}

/** Ticket root of closed draw `d`. The empty tree's root, SHA-256 of nothing (RFC 6962), is not stored. */
export const TICKET_ROOT = sql`coalesce(d.ticket_root, case when d.ticket_count = 0 then sha256('') end)`;

/** Result of draw `d` before any correction. */
export const SETTLED_RESULT = sql`coalesce((select c.before_result from corrections c where c.network_id = d.network_id and c.draw_id = d.id
  and c.nth = 1), d.result)`;

/** Malformed quantities become null. `offset 0` prevents repeated evaluation. */
export const READ_LINES = sql`(
  select key, case when translate(qty, '0123456789', '') = '' and length(qty) between 1 and 9 then qty::bigint end as qty
  from (select split_part(line, '*', 1) as key, split_part(line, '*', 2) as qty
    from string_to_table(t.lines, ' ') as line offset 0) as parts
  offset 0) as l`;

export interface Trial {
  readonly staged: number;
  readonly replaces: number;
}

/** `staged`: only the root and the staged network. */
export type TrialReads = 'all' | 'staged';

/**
 * Limits the transaction to live networks through the views of schema `audited`. A trial selects the networks that
 * would be live afterwards.
 */
export async function readLive(on: Queryable, trial?: Trial, reads: TrialReads = 'all'): Promise<void> {
  if (trial)
    await on.query(
      sql`select set_config('drawhouse.trial', ${`${trial.staged}:${trial.replaces}:${reads === 'staged' ? 1 : 0}`}, true)`,
    );
  await on.query(
    sql`select set_config('search_path', 'audited, public', true) where exists (select from public.staged_networks)`,
  );
}
