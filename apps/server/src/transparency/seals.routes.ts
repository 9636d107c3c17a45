import { fairSeals } from '@drawhouse/contract/seals/seals';
import type { SealGrade } from '@drawhouse/contract/seals/seals';
import { handle } from '../http/handler.ts';
import type { BoundRoute, Caller } from '../http/handler.ts';

/** The public route of who vouches for the seals. */
export function sealsRoutes<A extends Caller>(readGrade: () => Promise<SealGrade | null>): BoundRoute<A>[] {
  return [handle<A, typeof fairSeals>(fairSeals, async () => ({ seals: await readGrade() }))];
}
