import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { Keeping } from '../keepers/keeping.ts';

/** What stands in the way of those who keep parts of the seeds: draws do not open without them, and are void where their seeds do not come. */
export function keeperNotices(keeping: Pick<Keeping, 'troubles'>): FoundNotice[] {
  return keeping.troubles().map((detail) => ({ code: 'KEEPER_AWAY', detail }));
}
