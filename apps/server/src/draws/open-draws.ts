import { createHash, randomBytes } from 'node:crypto';
import { insertKept } from '../keepers/draw-keepers.sql.ts';
import type { KeptOpening } from '../keepers/draw-keepers.sql.ts';
import type { Keeping } from '../keepers/keeping.ts';
import type { Services } from '../services.ts';
import type { PairRow } from '../games/games.sql.ts';
import { lockToOpen, panelChanged } from '../games/pairs.ts';
import { termsToOpen } from './draw-terms.ts';
import { insertDraws, pairsWithoutDraw } from './draws.sql.ts';
import type { IdlePair, NewDraw } from './draws.sql.ts';
import { eachNetwork, inChunks, stepFailed } from './draw-steps.ts';
import type { Turns } from './draw-steps.ts';
import type { Tx } from '../db/database.ts';
import type { OpeningParts } from '@drawhouse/rules/openings';
import { drawToOpen } from '@drawhouse/rules/schedule';
import { idsOfBatch, logOpenings } from './log-openings.ts';
import { isPassedOver, passOverPair } from './schedule-state.ts';
import type { StepTries } from './schedule-state.ts';
import type { SeedVault } from './seeds.ts';

const SEED_BYTES = 32;

/** What opens draws. */
interface Opener {
  /** Opens the draws that are due to open, many in one transaction. `failed` hears of what could not be opened, which is then passed over by `tries`. */
  openDue(tries: StepTries, failed: (error: Error) => void): Promise<void>;
}

/** What draws are opened with. */
interface OpenerParts {
  readonly services: Services;
  readonly vault: SeedVault;
  readonly keeping: Keeping;
}

/** Makes what opens draws, in transactions that have a turn. Where others keep parts of their seeds, no more open than these are ready for. */
export function createOpener(parts: OpenerParts, turns: Turns): Opener {
  const { services, keeping } = parts;
  const { db, clock } = services;
  const stored: StoredTerms = new Set();
  return {
    async openDue(tries, failed) {
      const now = clock.now();
      const all = (await pairsWithoutDraw(db, now)).filter(
        (pair) => !isPassedOver(tries, pair) && drawToOpen(now, pair.interval_seconds, pair),
      );
      if (keeping.isShared) keeping.refill(all.length, tries);
      const due = all.slice(0, keeping.ready(now));
      const pairFailed = (pair: PairRow, error: unknown): void => {
        passOverPair(tries, pair);
        failed(stepFailed(`opening a draw of ${pair.game_key} of ${pair.admin_username}`, error));
      };
      await inChunks(
        turns,
        due,
        (pairs) => open({ ...parts, stored }, pairs, pairFailed),
        ([pair], error) => pairFailed(pair!, error),
      );
    },
  };
}

/** The ids of terms that the database has, as far as is known here: they are not sent with each draw that opens with them. */
type StoredTerms = Set<string>;

/** What opens draws, with what is known of the database. */
interface Opening extends OpenerParts {
  readonly stored: StoredTerms;
}

/** Opens the draws of pairs in one transaction. */
async function open(
  opening: Opening,
  pairs: readonly PairRow[],
  failed: (pair: PairRow, error: unknown) => void,
): Promise<void> {
  const { services, stored } = opening;
  const wrong: [PairRow, unknown][] = [];
  const act = async (tx: Tx): Promise<void> => {
    wrong.length = 0;
    const opened = await eachNetwork(pairs, (networkId, its) =>
      openOf(opening, tx, networkId, its, (pair, error) => wrong.push([pair, error])),
    );
    // Last, as it locks the logs; in the order of the networks, so that nobody waits in a ring.
    await eachNetwork(opened, (networkId, [its]) => logOpenings(tx, services, networkId, its!.draws));
    tx.onCommit(() => opened.forEach(({ draws }) => draws.forEach((draw) => stored.add(draw.terms_id))));
  };
  try {
    await services.db.pipelined(act);
  } catch (error) {
    // Whatever it was: at the next try all that the draws need is sent with them.
    stored.clear();
    throw error;
  }
  for (const [pair, error] of wrong) failed(pair, error);
}

/**
 * Opens the draws of pairs of a network under their locks, so that neither another server nor a change of the interval comes between looking and
 * opening. A pair that somebody else has locked is left to them, or to the next time. Gives those that it has opened.
 */
async function openOf(
  opening: Opening,
  tx: Tx,
  networkId: number,
  pairs: readonly PairRow[],
  failed: (pair: PairRow, error: unknown) => void,
): Promise<{ readonly network_id: number; readonly draws: readonly (OpeningDraw & Pick<PairRow, 'game_key'>)[] }> {
  const { services, stored } = opening;
  const now = services.clock.now();
  const mine = await pairsWithoutDraw(tx, now, { networkId, gameIds: await lockToOpen(tx, networkId, pairs) });
  const nextId = idsOfBatch(services);
  const rows = mine.flatMap((pair) => {
    try {
      const draw = newDraw(opening, pair, now, nextId);
      if (draw) panelChanged(services, tx, pair);
      return draw ? [{ ...draw, game_key: pair.game_key }] : [];
    } catch (error) {
      failed(pair, error);
      return [];
    }
  });
  const draws = await insertDraws(tx, networkId, rows, stored);
  await insertKept(
    tx,
    networkId,
    draws.flatMap(({ opening: taken }) => taken ?? []),
  );
  return { network_id: networkId, draws };
}

/** A draw that opens, with what it takes of its keepers; null where the server alone keeps its seed. */
type OpeningDraw = NewDraw & { readonly opening: KeptOpening | null; readonly parts: OpeningParts | null };

/** What the log tells of it. */
function partsOf({ places, round }: KeptOpening): OpeningParts {
  return {
    keepers: places.map(({ keeper, of, index, commitment }) => [
      keeper.publicKey,
      of.day,
      index,
      commitment.toString('hex'),
    ]),
    round,
  };
}

/** The draw of a pair that is to be opened now, if there is one. One that others were to keep too waits for them: it is never kept by the server alone. */
function newDraw(
  { vault, keeping }: OpenerParts,
  pair: IdlePair,
  now: Date,
  nextId: () => string,
): OpeningDraw | undefined {
  const times = drawToOpen(now, pair.interval_seconds, pair);
  if (!times) return undefined;
  const id = nextId();
  const opening = keeping.take(id, times.closesAt);
  if (opening === undefined) return undefined;
  const seed = randomBytes(SEED_BYTES);
  return {
    id,
    game_id: pair.game_id,
    opens_at: times.opensAt,
    closes_at: times.closesAt,
    draws_at: times.drawsAt,
    commitment: createHash('sha256').update(seed).digest(),
    sealed_seed: vault.seal(seed, id),
    opening,
    parts: opening && partsOf(opening),
    ...termsToOpen(pair, opening?.kept),
  };
}
