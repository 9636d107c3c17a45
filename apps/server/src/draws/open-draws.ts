import { createHash, randomBytes } from 'node:crypto';
import type { Services } from '../services.ts';
import type { PairRow } from '../games/games.sql.ts';
import { lockToOpen, panelChanged } from '../games/pairs.ts';
import { termsToOpen } from './draw-terms.ts';
import { insertDraws, pairsWithoutDraw } from './draws.sql.ts';
import type { IdlePair, NewDraw } from './draws.sql.ts';
import { inChunks, stepFailed } from './draw-steps.ts';
import { drawToOpen } from '@drawhouse/rules/schedule';
import { idsOfBatch, logOpenings } from './log-openings.ts';
import { isPassedOver, passOverPair } from './schedule-state.ts';
import type { StepTries } from './schedule-state.ts';
import type { SeedVault } from './seeds.ts';

const SEED_BYTES = 32;

/**
 * Opens the draws that are due to open, those of a network in one transaction. `failed` hears of what could not be opened, which is then
 * passed over by `tries`.
 */
export async function openDue(
  services: Services,
  vault: SeedVault,
  tries: StepTries,
  failed: (error: Error) => void,
): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  const due = (await pairsWithoutDraw(db, now)).filter(
    (pair) => !isPassedOver(tries, pair) && drawToOpen(now, pair.interval_seconds, pair),
  );
  const pairFailed = (pair: PairRow, error: unknown): void => {
    passOverPair(tries, pair);
    failed(stepFailed(`opening a draw of ${pair.game_key} of ${pair.admin_username}`, error));
  };
  await inChunks(
    due,
    (networkId, pairs) => open(services, vault, networkId, pairs, pairFailed),
    ([pair], error) => pairFailed(pair!, error),
  );
}

/**
 * Opens the draws of pairs of a network under their locks, so that neither another server nor a change of the interval comes between looking and
 * opening. A pair that somebody else has locked is left to them, or to the next time.
 */
async function open(
  services: Services,
  vault: SeedVault,
  networkId: number,
  pairs: readonly PairRow[],
  failed: (pair: PairRow, error: unknown) => void,
): Promise<void> {
  const wrong: [PairRow, unknown][] = [];
  await services.db.transaction(async (tx) => {
    wrong.length = 0;
    const now = services.clock.now();
    const mine = await pairsWithoutDraw(tx, now, { networkId, gameIds: await lockToOpen(tx, networkId, pairs) });
    const nextId = idsOfBatch(services);
    const rows = mine.flatMap((pair) => {
      try {
        const draw = newDraw(vault, pair, now, nextId);
        if (draw) panelChanged(services, tx, pair);
        return draw ? [{ ...draw, game_key: pair.game_key }] : [];
      } catch (error) {
        wrong.push([pair, error]);
        return [];
      }
    });
    const opened = await insertDraws(tx, networkId, rows);
    // Last, as it locks the log.
    await logOpenings(tx, services, networkId, opened);
  });
  for (const [pair, error] of wrong) failed(pair, error);
}

/** The draw of a pair that is to be opened now, if there is one. */
function newDraw(vault: SeedVault, pair: IdlePair, now: Date, nextId: () => string): NewDraw | undefined {
  const times = drawToOpen(now, pair.interval_seconds, pair);
  if (!times) return undefined;
  const id = nextId();
  const seed = randomBytes(SEED_BYTES);
  return {
    id,
    game_id: pair.game_id,
    opens_at: times.opensAt,
    closes_at: times.closesAt,
    draws_at: times.drawsAt,
    commitment: createHash('sha256').update(seed).digest(),
    sealed_seed: vault.seal(seed, id),
    ...termsToOpen(pair),
  };
}
