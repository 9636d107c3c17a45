/** What the schedule does with a draw at its time: betting on it closes, it has its result, all is paid. */
export type TimedStep = 'close' | 'draw' | 'settle';

/** Hears of what the schedule does, once it is committed. */
export interface DrawHearer {
  /** A step of a draw was taken so many milliseconds after its time. */
  stepped(this: void, step: TimedStep, lateMs: number): void;
  /** A draw with tickets was settled, which took so many milliseconds since it had its result. */
  settled(this: void, tookMs: number): void;
}
