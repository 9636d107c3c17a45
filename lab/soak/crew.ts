import type { Member } from '../../tools/demo/bank.ts';
import type { Call } from '../../tools/demo/client.ts';

/** Who works during a soak, and where. */
export interface Crew {
  readonly url: string;
  readonly call: Call;
  readonly players: readonly Member[];
  /** Ends the work. */
  readonly signal: AbortSignal;
}
