export type TimedStep = 'close' | 'draw' | 'settle';

/** Called after the commit. */
export interface DrawHearer {
  /** Delay past the scheduled time, in milliseconds. */
  stepped(this: void, step: TimedStep, lateMs: number): void;
  /** Only draws with tickets. Milliseconds from result to settlement. */
  settled(this: void, tookMs: number): void;
}
