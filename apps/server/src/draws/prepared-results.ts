import type { DrawTerms } from '@drawhouse/rules/terms';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { generateResult } from './generate-result.ts';
import { isRootInTime, wholeSeed } from './seed/whole-seed.ts';
import type { LockedDraw, SettledDraw } from './due-draws.sql.ts';
import { isBeforeClose, readSeed } from './seeds.ts';
import type { SeedVault } from './seeds.ts';

/** So many results are at hand: those of three times as many draws as `bench schedule` has at one time. */
const MOST_PREPARED = 10_000;
/** So many are prepared before anything else has its turn: a millisecond or two. */
const AT_ONCE = 32;

/** What the result of a draw without tickets follows from. */
export type Drawable = LockedDraw & { readonly own: DrawTerms };

/**
 * Results of draws that closed without tickets, worked out between their closing and their draw time: at a
 * full minute thousands are due at one instant, and by then all that they follow from is fixed, and nobody can bet. They stay in memory.
 */
export interface PreparedResults {
  /** Works the results out as soon as nothing else is at work, a few at a time. */
  prepare(draws: readonly Drawable[]): void;
  /** The result of a locked draw, prepared or worked out now; undefined while its seed is not known or can't be read, and before its close. */
  resultOf(draw: Drawable): SettledDraw | undefined;
}

/** Makes a place for the results that are prepared by a server, whose clock says which draws have closed. */
export function createPreparedResults(vault: SeedVault, clock: Clock): PreparedResults {
  const prepared = new LRUCache<string, { readonly from: Drawable; readonly settled: SettledDraw }>({
    max: MOST_PREPARED,
  });
  let waiting: Drawable[] = [];
  const workOut = (draw: Drawable): SettledDraw | undefined =>
    isBeforeClose(draw, clock.now()) ? undefined : resultFrom(readSeed(vault, draw), draw);
  const prepareSome = (): void => {
    const some = waiting.slice(0, AT_ONCE);
    waiting = waiting.slice(AT_ONCE);
    if (waiting.length > 0) setImmediate(prepareSome).unref();
    for (const from of some) {
      const settled = workOut(from);
      if (settled) prepared.set(from.id, { from, settled });
    }
  };
  return {
    prepare(draws) {
      if (draws.length === 0) return;
      if (waiting.length === 0) setImmediate(prepareSome).unref();
      waiting = [...waiting, ...draws].slice(-MOST_PREPARED);
    },
    resultOf(draw) {
      const found = prepared.get(draw.id);
      prepared.delete(draw.id);
      return found && isSame(found.from, draw) ? found.settled : workOut(draw);
    },
  };
}

/** Whether two readings of a draw lead to the same result. */
function isSame(one: Drawable, other: Drawable): boolean {
  return (
    one.terms_id === other.terms_id &&
    one.closes_at.getTime() === other.closes_at.getTime() &&
    one.game_key === other.game_key &&
    one.family === other.family &&
    one.digits === other.digits &&
    one.commitment.equals(other.commitment) &&
    one.sealed_seed !== null &&
    other.sealed_seed !== null &&
    one.sealed_seed.equals(other.sealed_seed)
  );
}

function resultFrom(seed: Buffer | undefined, draw: Drawable): SettledDraw | undefined {
  const opened = { ...draw, ...draw.own };
  const whole = seed && isRootInTime(opened) ? wholeSeed(opened, seed, draw.terms_id) : undefined;
  return seed && whole && { id: draw.id, seed, ...generateResult(opened, whole) };
}
