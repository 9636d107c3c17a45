import type { PairRow } from '../games/games.sql.ts';
import type { DueDraw } from './due-draws.sql.ts';

/** A draw that somebody else had locked is tried again after this. */
const AGAIN_MS = 50;
/** Intervals are whole seconds, so whatever opens, opens at one; and a game that was switched on is seen within one. */
const SECOND_MS = 1_000;
/** Draws without tickets that somebody else has locked are tried together so often, then each by itself. */
const TRIES = 3;

/** What a schedule knows from one step to the next. */
export interface ScheduleState {
  /** Somebody else had locked a draw since the last step began. */
  wasBusy: boolean;
}

/** What one step has tried, so that it comes to an end whatever fails or is locked. */
export interface StepTries {
  /** How often draws were tried, by their keys and states. */
  readonly draws: Map<string, number>;
  /** The pairs for which no draw could be opened. */
  readonly pairs: Set<string>;
  /** The beacons, and the rounds of them, that were asked for. */
  readonly asked: Set<string>;
}

/** A schedule before its first step. */
export function newSchedule(): ScheduleState {
  return { wasBusy: false };
}

/** Begins a step, in which nothing was tried yet. */
export function beginStep(state: ScheduleState): StepTries {
  state.wasBusy = false;
  return newTries();
}

/** Notes that somebody else has locked a draw. */
export function noteBusy(state: ScheduleState): void {
  state.wasBusy = true;
}

/** Nothing was tried yet. */
export function newTries(): StepTries {
  return { draws: new Map(), pairs: new Set(), asked: new Set() };
}

/** In how many milliseconds the next step is due, where the next draw is due at `dueAt`. */
export function nextStepMs({ wasBusy }: ScheduleState, now: Date, dueAt: Date | undefined): number {
  const nowMs = now.getTime();
  const secondMs = SECOND_MS - (nowMs % SECOND_MS);
  const dueMs = dueAt ? dueAt.getTime() - nowMs : Infinity;
  return Math.max(0, Math.min(secondMs, dueMs, wasBusy ? AGAIN_MS : Infinity));
}

/** How a draw is to be tried next in its state, which counts as tried: not at all once it was tried in all ways, or has failed. */
export function nextWay({ draws }: StepTries, draw: DueDraw): 'together' | 'alone' | 'none' {
  const key = keyOf(draw);
  const tried = draws.get(key) ?? 0;
  if (tried > TRIES) return 'none';
  draws.set(key, tried + 1);
  return tried < TRIES ? 'together' : 'alone';
}

/** Leaves a draw that failed to the next step. */
export function passOver({ draws }: StepTries, draw: DueDraw): void {
  draws.set(keyOf(draw), TRIES + 1);
}

/** Leaves a pair for which no draw could be opened to the next step. */
export function passOverPair({ pairs }: StepTries, pair: PairKey): void {
  pairs.add(keyOfPair(pair));
}

/** Whether the step leaves a pair to the next one. */
export function isPassedOver({ pairs }: StepTries, pair: PairKey): boolean {
  return pairs.has(keyOfPair(pair));
}

/** What tells a pair from others. */
type PairKey = Pick<PairRow, 'network_id' | 'game_id'>;

const keyOf = ({ id, draw_status: status }: DueDraw): string => id + status;
const keyOfPair = ({ network_id, game_id }: PairKey): string => `${network_id} ${game_id}`;
