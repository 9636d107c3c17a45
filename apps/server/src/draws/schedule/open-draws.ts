import { createHash, randomBytes } from 'node:crypto';
import { VOID_AFTER_HOURS } from '@drawhouse/contract/games/schedules';
import type { Services } from '../../platform/services.ts';
import { planOnce } from '../../platform/db/sql/sql.ts';
import { activeGames, cadenceOf, type PairRow, type TimedGame } from '../../games/games.sql.ts';
import { lockToOpen, panelChanged } from '../../games/pairs/pairs.ts';
import { shareBooksLock } from '../../activity/network-work/closed-books.ts';
import { termsToOpen } from '../draw-terms.ts';
import type { Beacons } from '../seed/beacons.ts';
import { insertDraws, type NewDraw } from '../draws.sql.ts';
import { gamesWithoutDraw, pairsWithoutDraw, type IdlePair } from './due-draws.sql.ts';
import { runPerNetwork, runInChunks, stepFailed, type Turns } from '../states/draw-steps.ts';
import type { Tx } from '../../platform/db/database.ts';
import { outsideSource, type DrawTimes } from '@drawhouse/rules/time/clock-slots';
import { drawToOpen } from '@drawhouse/rules/time/schedule';
import { isPassedOver, passOverPair, type StepTries } from './schedule-state.ts';
import type { SeedVault } from '../seed/seeds.ts';
import { GrowingTree, BATCH_AT, batchOf, openingLeaf, type Opening } from '@drawhouse/rules/fair/tree/merkle';
import { appendSystemRow, SYSTEM, changeOf } from '../../activity/append-activity.ts';
import { NOWHERE } from '../../platform/http/handler.ts';
import { DRAW_SUBJECTS } from '../draws-texts.ts';

export const SEED_BYTES = 32;

interface Opener {
  /** Many per transaction. `tries` skips failed ones for this step. */
  openDue(tries: StepTries, failed: (error: Error) => void): Promise<void>;
}

export interface OpenerParts {
  readonly services: Services;
  readonly vault: SeedVault;
  readonly beacons: Pick<Beacons, 'openWith'>;
}

export function createOpener(parts: OpenerParts, turns: Turns): Opener {
  const { services } = parts;
  const { db, clock } = services;
  const stored: StoredTerms = new Set();
  return {
    async openDue(tries, failed) {
      const now = clock.now();
      const due = (await pairsWithoutDraw(db, now)).filter(
        (pair) => !isPassedOver(tries, pair) && drawToOpen(now, cadenceOf(pair), pair),
      );
      const pairFailed = (pair: IdlePair, error: unknown): void => {
        passOverPair(tries, pair);
        failed(stepFailed(`opening a draw of ${pair.game_key} of ${pair.admin_username}`, error));
      };
      await runInChunks(
        turns,
        due,
        (pairs) => open({ ...parts, stored }, pairs, pairFailed),
        ([pair], error) => pairFailed(pair!, error),
      );
    },
  };
}

/** Already in the database, so draws omit the terms body. */
type StoredTerms = Set<string>;

interface DueOpening extends OpenerParts {
  readonly stored: StoredTerms;
}

async function open(
  opening: DueOpening,
  pairs: readonly IdlePair[],
  failed: (pair: IdlePair, error: unknown) => void,
): Promise<void> {
  const { services, stored } = opening;
  const wrong: [IdlePair, unknown][] = [];
  const act = async (tx: Tx): Promise<void> => {
    wrong.length = 0;
    await planOnce(tx);
    const { idle, now } = await lockIdlePairs(services, tx, pairs);
    const opened = await runPerNetwork(idle, async (networkId, due) => {
      const rows = newDraws(opening, due, now, (pair, error) => wrong.push([pair, error]));
      for (const pair of rows) panelChanged(services, tx, { ...pair, network_id: networkId });
      const draws = await insertDraws(tx, networkId, rows, stored);
      return { network_id: networkId, draws };
    });
    // Log locks come last, in network order, to prevent deadlocks.
    await runPerNetwork(opened, (networkId, [its]) => logOpenings(tx, services, networkId, its!.draws));
    tx.onCommit(() => opened.forEach(({ draws }) => draws.forEach((draw) => stored.add(draw.terms_id))));
  };
  try {
    await services.db.pipelined(act);
  } catch (error) {
    // A failure may have removed them.
    stored.clear();
    throw error;
  }
  for (const [pair, error] of wrong) failed(pair, error);
}

type LockedPair = IdlePair & TimedGame & Pick<PairRow, 'win_percentage' | 'beacons'>;

/** Keeps other servers and changes of terms away. Skips pairs locked elsewhere and networks with closed books. */
async function lockIdlePairs(
  { clock }: Services,
  tx: Tx,
  pairs: readonly IdlePair[],
): Promise<{ readonly idle: readonly LockedPair[]; readonly now: Date }> {
  const now = clock.now();
  // Pipelined in this order: pairs are read under locks, shared games under the locks of all.
  const [locked, games] = await Promise.all([
    runPerNetwork(pairs, async (networkId, idlePairs) => {
      const [isOpen, ids, idle] = await Promise.all([
        shareBooksLock(tx, networkId),
        lockToOpen(tx, networkId, idlePairs),
        gamesWithoutDraw(tx, networkId, idlePairs, now),
      ]);
      const [mine, found] = [new Set(isOpen ? ids : []), new Map(idlePairs.map((pair) => [pair.game_id, pair]))];
      return idle.filter(({ game_id: id }) => mine.has(id)).map((game) => ({ ...found.get(game.game_id)!, ...game }));
    }),
    activeGames(tx, [...new Set(pairs.map((pair) => pair.game_id))]),
  ]);
  const idle = locked.flat().flatMap((pair) => {
    const game = games.get(pair.game_id);
    return game ? [{ ...pair, ...game }] : [];
  });
  return { idle, now };
}

function newDraws(
  opening: DueOpening,
  pairs: readonly LockedPair[],
  now: Date,
  failed: (pair: IdlePair, error: unknown) => void,
): (NewDraw & Pick<PairRow, 'game_key'>)[] {
  const nextId = idsOfBatch(opening.services);
  // One call: per-call cost dwarfs the bytes.
  const seeds = randomBytes(SEED_BYTES * pairs.length);
  return pairs.flatMap((pair, index) => {
    try {
      const seed = seeds.subarray(index * SEED_BYTES, (index + 1) * SEED_BYTES);
      const draw = newDraw(opening, pair, now, seed, nextId);
      return draw ? [{ ...draw, game_key: pair.game_key }] : [];
    } catch (error) {
      failed(pair, error);
      return [];
    }
  });
}

function newDraw(
  { vault, beacons }: OpenerParts,
  pair: LockedPair,
  now: Date,
  seed: Buffer,
  nextId: () => string,
): NewDraw | undefined {
  const times = drawToOpen(now, cadenceOf(pair), pair);
  return times && drawOfTimes({ vault, beacons }, pair, times, { seed, id: nextId });
}

/** Undefined while a beacon's rounds are unknown. */
export function drawOfTimes(
  { vault, beacons }: Pick<OpenerParts, 'vault' | 'beacons'>,
  pair: TimedGame & Pick<PairRow, 'win_percentage' | 'beacons'>,
  times: DrawTimes,
  { seed, id: nextId }: { readonly seed: Buffer; readonly id: () => string },
): NewDraw | undefined {
  const { drawsAt } = times;
  const outside = pair.schedule && outsideSource(drawsAt, pair.schedule, pair.time_zone);
  const opened =
    outside === null
      ? beacons.openWith(pair.beacons, drawsAt)
      : { beacons: null, awaits_until: new Date(drawsAt.getTime() + voidAfterMs(pair)) };
  if (!opened) return undefined;
  const id = nextId();
  return {
    id,
    game_id: pair.game_id,
    opens_at: times.opensAt,
    closes_at: times.closesAt,
    draws_at: drawsAt,
    clock_number: pair.schedule && times.number,
    commitment: createHash('sha256').update(seed).digest(),
    sealed_seed: vault.seal(seed, { id, closes_at: times.closesAt }),
    awaits_until: opened.awaits_until,
    outside,
    ...termsToOpen(pair, opened.beacons, outside !== null),
  };
}

const HOUR_MS = 3_600_000;

function voidAfterMs({ schedule }: Pick<TimedGame, 'schedule'>): number {
  return (schedule?.voidAfter ?? VOID_AFTER_HOURS.usual) * HOUR_MS;
}

interface OpenedTogether {
  readonly batch: string;
  readonly draws: number;
  /** Merkle root over opening data in id order, 64 hex digits. */
  readonly root: string;
}

/** Ascending ids with a shared 62-bit random suffix, so one log row covers a whole batch. */
export function idsOfBatch({ newId }: Pick<Services, 'newId'>): () => string {
  const batch = batchOf(newId());
  return () => newId().slice(0, BATCH_AT) + batch;
}

/**
 * One row with count and Merkle root over commitments, times and terms. Swapping a seed later contradicts it. Without
 * actor or subtree, so activity lists omit the row.
 */
export async function logOpenings(
  tx: Tx,
  services: Pick<Services, 'clock' | 'newId'>,
  networkId: number,
  opened: readonly Opening[],
): Promise<void> {
  if (opened.length === 0) return;
  const tree = new GrowingTree();
  for (const draw of opened.toSorted((a, b) => (a.id < b.id ? -1 : 1))) tree.addLeaf(openingLeaf(draw));
  const root = Buffer.from(tree.root()).toString('hex');
  const together: OpenedTogether = { batch: batchOf(opened[0]!.id), draws: tree.size, root };
  await appendSystemRow(tx, networkId, services, {
    accountId: null,
    username: SYSTEM,
    subject: tree.size === 1 ? DRAW_SUBJECTS.openedOne : DRAW_SUBJECTS.opened(tree.size),
    origin: NOWHERE,
    detail: { opened: together },
    changes: changeOf('Root of the opening records', null, root),
  });
}
