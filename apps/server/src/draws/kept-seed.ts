import { createHash } from 'node:crypto';
import { generateDraw } from '@drawhouse/rules/fair';
import { roundTimeMs } from '@drawhouse/rules/drand-chain';
import type { KeptBy } from '@drawhouse/rules/terms';
import type { Queryable, Tx } from '../db/database.ts';
import { rulesOf } from '../games/games.sql.ts';
import { endWaiting, readKeptParts } from '../keepers/draw-keepers.sql.ts';
import type { KeptPart } from '../keepers/draw-keepers.sql.ts';
import type { Services } from '../services.ts';
import { seedOfDraw } from './draw-seed.ts';
import type { KeptParts } from './draw-seed.ts';
import { selectDraws } from './draws.sql.ts';
import type { DrawRow } from './draws.sql.ts';

/** What others have kept of a draw's seed; or which of them it lacks. */
export type FoundParts = KeptParts | { readonly lacks: 'keeper' | 'beacon' };

/** What others have kept of the seeds of draws of a network, by draw. Draws of which nobody else keeps anything are not asked for. */
export async function readParts(
  on: Queryable,
  networkId: number,
  draws: readonly { readonly id: string; readonly kept?: KeptBy | null }[],
): Promise<ReadonlyMap<string, FoundParts>> {
  const kept = draws.filter((draw) => draw.kept);
  if (kept.length === 0) return new Map();
  const ids = kept.map(({ id }) => id);
  const rows = Map.groupBy(await readKeptParts(on, networkId, ids), ({ draw_id }) => draw_id);
  return new Map(kept.map((draw) => [draw.id, partsOf(draw.kept!, rows.get(draw.id) ?? [])]));
}

function partsOf({ keepers, beacon }: KeptBy, rows: readonly KeptPart[]): FoundParts {
  const keeperSeeds = rows.flatMap(({ seed }) => seed ?? []);
  if (keeperSeeds.length < keepers.length) return { lacks: 'keeper' };
  if (!beacon) return { keeperSeeds };
  const round = rows.find((row) => row.round !== null);
  if (!round?.signature) return { lacks: 'beacon' };
  const randomness = createHash('sha256').update(round.signature).digest();
  return { keeperSeeds, beacon: { round: Number(round.round), randomness } };
}

/** Whether anything of a draw's seed was asked for: from then on its result could be known. */
export async function wasAsked(
  on: Queryable,
  { network_id, id }: Pick<DrawRow, 'network_id' | 'id'>,
): Promise<boolean> {
  return (await readKeptParts(on, network_id, [id])).some(
    ({ asked_at, signature }) => asked_at !== null || signature !== null,
  );
}

/** What a locked draw that is being voided waits for no more: what was asked for, and a round that is public, come still, as its result was knowable. */
export async function endKept(
  tx: Tx,
  { network_id, id, kept }: Pick<DrawRow, 'network_id' | 'id' | 'kept'>,
  now: Date,
): Promise<void> {
  if (!kept) return;
  const round = (await readKeptParts(tx, network_id, [id])).find((part) => part.round !== null)?.round;
  const isPublic =
    kept.beacon !== null && round !== undefined && roundTimeMs(kept.beacon, Number(round)) <= now.getTime();
  await endWaiting(tx, network_id, [id], { asked: true, round: isPublic });
}

/** What the tickets of a draw would have won with a result, in hundredths; null where it is more than the books can hold. */
export type WouldPay = (tx: Tx, draw: DrawRow) => Promise<bigint | null>;

/**
 * Notes of void draws of a network whose seeds are known in all their parts that their results were knowable, and what they would have paid.
 * Draws of which a part is missing, or that the server kept alone, have no such mark.
 */
export async function noteKnowable(
  services: Pick<Services, 'clock'>,
  tx: Tx,
  networkId: number,
  ids: readonly string[],
  wouldPay: WouldPay,
): Promise<KnowableDraw[]> {
  const draws = await selectDraws(
    tx,
    `where d.network_id = $1 and d.id = any($2::uuid[]) and d.status = 'void' order by d.id`,
    [networkId, ids],
  );
  const parts = await readParts(tx, networkId, draws);
  const noted: KnowableDraw[] = [];
  for (const draw of draws) {
    const found = parts.get(draw.id);
    if (!found || 'lacks' in found || !draw.seed) continue;
    const rules = rulesOf(draw);
    const seed = seedOfDraw(draw, draw.seed, found);
    const { result, booster } = generateDraw({ rules, weights: draw.weights, seed, drawId: draw.id });
    const label = rules.resultLabel(result);
    const pays = await wouldPay(tx, { ...draw, result, booster, result_label: label });
    const kept = await tx.query(
      `insert into knowable_draws (network_id, draw_id, noted_at, result, result_label, booster, pays) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict do nothing returning draw_id`,
      [networkId, draw.id, services.clock.now(), JSON.stringify(result), label, booster, pays],
    );
    if (kept.length > 0) noted.push({ draw, result, label, booster, pays });
  }
  return noted;
}

/** A void draw whose result was knowable, with that. */
export interface KnowableDraw {
  readonly draw: DrawRow;
  readonly result: NonNullable<DrawRow['result']>;
  readonly label: string;
  readonly booster: number;
  readonly pays: bigint | null;
}

/** What is published of a void draw whose result was knowable; undefined of any other. */
export async function findKnowable(
  on: Queryable,
  { network_id, id }: Pick<DrawRow, 'network_id' | 'id'>,
): Promise<Omit<KnowableDraw, 'draw'> | undefined> {
  const [found] = await on.query<Omit<KnowableDraw, 'draw'>>(
    'select result, result_label as label, booster, pays from knowable_draws where network_id = $1 and draw_id = $2',
    [network_id, id],
    'draw-knowable',
  );
  return found;
}
