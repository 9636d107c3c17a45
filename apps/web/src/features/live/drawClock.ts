import type { DrawView } from '@drawhouse/contract/draws/draws';

/** What a panel, or its line among all of them, says of the running draw. */
export interface DrawState {
  draw: Pick<DrawView, 'status' | 'closesAt' | 'drawsAt'> | null;
  /** When the draw after this one opens; null where none follows. */
  nextOpensAt: string | null;
  /** The saved result, which may wait for a second person. */
  saved: { waits: boolean } | null;
}

/** How long a draw may be overdue on the panel before its figures are called stale. */
const STALE_AFTER_MS = 5_000;

/** In its last second the countdown shows 0 and the clock is set anew (spec section 4). */
const LAST_SECOND_MS = 1_000;

/** From so many seconds on a countdown takes the colour of a warning. */
export const LAST_SECONDS = 10;

/** How many of the last frames the clock is read from. */
const CLOCK_SAMPLES = 8;

/** What the operator needs to know about the running draw at a glance. */
export type Phase = 'none' | 'open' | 'closed' | 'waiting' | 'saved' | 'drawn' | 'settling' | 'settled' | 'void';

/** What a phase is called on the panel. */
export const PHASE_LABEL: Record<Phase, string> = {
  none: 'No draw',
  open: 'Open',
  closed: 'Betting closed',
  waiting: 'To be confirmed',
  saved: 'Result saved',
  drawn: 'Drawn',
  settling: 'Drawn',
  settled: 'Settled',
  void: 'Void',
};

/** The tone in which each is shown. */
export const PHASE_TONE = {
  none: 'neutral',
  open: 'good',
  closed: 'warn',
  waiting: 'warn',
  saved: 'warn',
  drawn: 'neutral',
  settling: 'neutral',
  settled: 'neutral',
  void: 'bad',
} as const satisfies Record<Phase, string>;

/**
 * How far the server's clock is ahead of ours, from the frames' times of sending. A frame is always received later than it was sent, so
 * the largest of the last differences is the one with the least delay in it.
 */
export function addClockSample(samples: readonly number[], serverTime: string, receivedAt: number): readonly number[] {
  const sent = Date.parse(serverTime);
  return Number.isNaN(sent) ? samples : [...samples, sent - receivedAt].slice(-CLOCK_SAMPLES);
}

/** The offset that the samples say: add it to our clock to get the server's. */
export function clockOffset(samples: readonly number[]): number {
  return samples.length === 0 ? 0 : Math.max(...samples);
}

/** Whole seconds until an instant, 0 from its last second on. */
export function secondsUntil(instant: string, serverNow: number): number {
  const left = Date.parse(instant) - serverNow;
  return left <= LAST_SECOND_MS ? 0 : Math.ceil(left / 1000);
}

/** The countdown as it is shown: `mm:ss` where it or the draw's interval is a minute or more, `h:mm:ss` past the hour, else seconds. */
export function countdownText(seconds: number, ofInterval: number): string {
  if (Math.max(seconds, ofInterval) < 60) return String(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${two(minutes)}:${two(seconds % 60)}`;
}

/** The interval of a draw in whole seconds. */
export function intervalSeconds(draw: { opensAt: string; drawsAt: string }): number {
  return Math.round((Date.parse(draw.drawsAt) - Date.parse(draw.opensAt)) / 1000);
}

/** The phase of the draw: what the last frame said, carried on by the server's clock where betting closes by time. */
export function phaseAt({ draw, saved }: Pick<DrawState, 'draw' | 'saved'>, serverNow: number): Phase {
  if (!draw) return 'none';
  if (draw.status === 'open' || draw.status === 'closed') {
    if (saved) return saved.waits ? 'waiting' : 'saved';
    return draw.status === 'open' && serverNow < Date.parse(draw.closesAt) ? 'open' : 'closed';
  }
  return draw.status;
}

/** Whether a result can still be chosen for the draw. */
export function canDeclare(phase: Phase): boolean {
  return phase === 'open' || phase === 'closed' || phase === 'waiting' || phase === 'saved';
}

/** Whether no draw is under way: none runs, or it has ended, early or at its time. What the clock counts down to then is the next one. */
export function isOver(phase: Phase): boolean {
  return phase === 'none' || phase === 'drawn' || phase === 'settling' || phase === 'settled' || phase === 'void';
}

/** What the clock of the panel is said to count down to, and how its instant reads. */
export function clockWords(phase: Phase): { timer: string; at: string } {
  return isOver(phase)
    ? { timer: 'Time to the next draw', at: 'next draw begins at' }
    : { timer: 'Time to the draw', at: 'draws at' };
}

/** The instant that the clock of the panel counts down to; null where no draw follows. */
export function clockTarget(
  { draw, nextOpensAt }: Pick<DrawState, 'draw' | 'nextOpensAt'>,
  phase: Phase,
): string | null {
  return isOver(phase) ? nextOpensAt : (draw?.drawsAt ?? null);
}

/** Whether the countdown is in its last second or past it: the time to ask the server for its clock. */
export function isEnding(panel: DrawState, serverNow: number): boolean {
  const target = clockTarget(panel, phaseAt(panel, serverNow));
  return target !== null && secondsUntil(target, serverNow) === 0;
}

/**
 * Whether the panel has missed something: what its clock counts down to lies more than 5 s back and no frame has moved on. A game that is
 * not open cannot be stale.
 */
export function isStale(panel: DrawState, serverNow: number): boolean {
  const target = clockTarget(panel, phaseAt(panel, serverNow));
  return target !== null && serverNow - Date.parse(target) > STALE_AFTER_MS;
}
