import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { Keeping } from '../keepers/keeping.ts';

/** What stands in the way of those who keep parts of the seeds: draws do not open without them, and are void where their seeds do not come. */
export function keeperNotices(keeping: Pick<Keeping, 'troubles' | 'convictions'>): FoundNotice[] {
  return [
    ...keeping.convictions().map((detail) => ({ code: 'KEEPER_TWO_ROOTS' as const, detail })),
    ...keeping.troubles().map((detail) => ({ code: 'KEEPER_AWAY' as const, detail })),
  ];
}
