/** The one source of time. It is given to whatever needs it, so that tests move time by hand. */
export interface Clock {
  now(): Date;
}

/** The real time of this machine. */
export const systemClock: Clock = { now: () => new Date() };
