import type { PairRow } from '../../games/games.sql.ts';
import type { DueDraw } from './due-draws.sql.ts';
import type { Logger } from 'pino';

const AGAIN_MS = 50;
const SECOND_MS = 1_000;
/** Bulk attempts on locked ticketless draws before trying each alone. */
const TRIES = 3;

export interface ScheduleState {
  wasBusy: boolean;
}

/** Ends a step despite failures and locks. */
export interface StepTries {
  readonly draws: Map<string, number>;
  readonly pairs: Set<string>;
  readonly requestedRounds: Set<string>;
}

export function newSchedule(): ScheduleState {
  return { wasBusy: false };
}

export function beginStep(state: ScheduleState): StepTries {
  state.wasBusy = false;
  return newTries();
}

export function recordLockConflict(state: ScheduleState): void {
  state.wasBusy = true;
}

export function newTries(): StepTries {
  return { draws: new Map(), pairs: new Set(), requestedRounds: new Set() };
}

export function nextStepMs({ wasBusy }: ScheduleState, now: Date, dueAt: Date | undefined): number {
  const nowMs = now.getTime();
  const secondMs = SECOND_MS - (nowMs % SECOND_MS);
  const dueMs = dueAt ? dueAt.getTime() - nowMs : Infinity;
  return Math.max(0, Math.min(secondMs, dueMs, wasBusy ? AGAIN_MS : Infinity));
}

/** Counts the attempt. `none` after all ways or a failure. */
export function nextAttempt({ draws }: StepTries, draw: DueDraw): 'together' | 'alone' | 'none' {
  const key = keyOf(draw);
  const tried = draws.get(key) ?? 0;
  if (tried > TRIES) return 'none';
  draws.set(key, tried + 1);
  return tried < TRIES ? 'together' : 'alone';
}

export function passOver({ draws }: StepTries, draw: DueDraw): void {
  draws.set(keyOf(draw), TRIES + 1);
}

export function passOverPair({ pairs }: StepTries, pair: PairKey): void {
  pairs.add(keyOfPair(pair));
}

export function isPassedOver({ pairs }: StepTries, pair: PairKey): boolean {
  return pairs.has(keyOfPair(pair));
}

type PairKey = Pick<PairRow, 'network_id' | 'game_id'>;

const keyOf = ({ id, draw_status: status }: DueDraw): string => id + status;
const keyOfPair = ({ network_id, game_id }: PairKey): string => `${network_id} ${game_id}`;

/** Someone may have edited the database to obtain a seed ahead of time. */
interface EarlyDraws {
  /** Warns once per occurrence. Early draws wait for their close without blocking others. */
  leave(due: readonly DueDraw[]): readonly DueDraw[];
}

export function createEarlyDraws(logger: Pick<Logger, 'warn'>): EarlyDraws {
  let reported: ReadonlySet<string> = new Set();
  return {
    leave(due) {
      const early = due.filter((draw) => draw.early);
      if (early.length === 0 && reported.size === 0) return due;
      const names = early.map(({ network_id: network, id }) => `draw ${id} of network ${network}`);
      for (const name of names)
        if (!reported.has(name))
          logger.warn(
            `${name} has a draw time before its betting closes, which the server never schedules. It is skipped ` +
              'until then. The database may have been changed by hand: run npm run audit.',
          );
      reported = new Set(names);
      return due.filter((draw) => !draw.early);
    },
  };
}

export interface SortedDraws {
  readonly open: DueDraw[];
  readonly closed: DueDraw[];
  readonly alone: DueDraw[];
}

export function sortDue(due: readonly DueDraw[], tries: StepTries): SortedDraws {
  const sorted: SortedDraws = { open: [], closed: [], alone: [] };
  for (const draw of due) {
    const way = nextAttempt(tries, draw);
    if (way === 'none') continue;
    const { draw_status: status, ticket_count: count } = draw;
    const mayHaveNone = status === 'open' || (status === 'closed' && count === 0 && !draw.saved);
    sorted[mayHaveNone && way === 'together' ? status : 'alone'].push(draw);
  }
  return sorted;
}
