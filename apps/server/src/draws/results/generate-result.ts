import type { DrawTerms } from '@drawhouse/rules/fair/draw-terms';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/time/clock.ts';
import { isRootInTime, deriveDrawSeed } from '../seed/draw-seeds.ts';
import type { LockedDraw, SettledDraw } from '../schedule/due-draws.sql.ts';
import { isBeforeClose, readSeed, type SeedVault } from '../seed/seeds.ts';
import { generateDraw } from '@drawhouse/rules/fair/fair';
import { rulesOf } from '../../games/games.sql.ts';
import type { DrawRow } from '../draws.sql.ts';

/** Three times the concurrent draws of `bench schedule`. */
const MOST_PREPARED = 10_000;
/** One or two milliseconds of work. */
const AT_ONCE = 32;

export type Drawable = LockedDraw & { readonly own: DrawTerms };

/**
 * Thousands of draws fall due each full minute, so results of ticketless ones are computed between close and draw time.
 * After the close all inputs are final and no bet is possible. In memory only.
 */
export interface PreparedResults {
  /** Works in idle time, a few draws per turn. */
  prepare(draws: readonly Drawable[]): void;
  /** Undefined before close, or if the seed is unknown or unreadable. */
  resultOf(draw: Drawable): SettledDraw | undefined;
}

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
  // A public lottery decides, or its deadline does.
  if (opened.result_mode === 'outside') return undefined;
  const whole = seed && isRootInTime(opened) ? deriveDrawSeed(opened, seed, draw.terms_id) : undefined;
  return seed && whole && { id: draw.id, seed, ...generateResult(opened, whole) };
}

interface GeneratedResult {
  readonly result: NonNullable<DrawRow['result']>;
  readonly booster: number;
  readonly label: string;
}

export function generateResult(
  draw: Parameters<typeof rulesOf>[0] & Pick<DrawTerms, 'weights'> & { readonly id: string },
  seed: Buffer,
): GeneratedResult {
  const rules = rulesOf(draw);
  const { result, booster } = generateDraw({ rules, weights: draw.weights, seed, drawId: draw.id });
  return { result, booster, label: rules.resultLabel(result) };
}
