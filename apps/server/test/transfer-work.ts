import type { Work } from '../src/network-work/network-work.ts';

/** Work as transfers are given it, and what it was told. */
export interface HeardWork extends Work {
  /** Each step and how much of it there was to do, once. */
  readonly steps: (readonly [step: string, total: number])[];
}

/** Work that nobody ends, or that ends with a signal. */
export function transferWork(signal: AbortSignal = new AbortController().signal): HeardWork {
  const steps: HeardWork['steps'] = [];
  return {
    signal,
    steps,
    progress(step, _done, total) {
      if (steps.at(-1)?.[0] !== step) steps.push([step, total]);
    },
  };
}
