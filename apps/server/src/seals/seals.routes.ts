import { fairSeals } from '@drawhouse/contract/seals/seals';
import type { SealGrade } from '@drawhouse/contract/seals/seals';
import type { Actor } from '../accounts/authority.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';

/** The public route of who vouches for the seals. */
export function sealsRoutes(readGrade: () => Promise<SealGrade | null>): BoundRoute<Actor>[] {
  return [handle(fairSeals, async () => ({ seals: await readGrade() }))];
}
