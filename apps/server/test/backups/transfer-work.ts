import type { Work } from '../../src/activity/network-work/network-work.ts';

export interface HeardWork extends Work {
  readonly steps: (readonly [step: string, total: number])[];
}

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
