import { listNotices, NOTICES } from '@drawhouse/contract/notices';
import type { NoticeCode } from '@drawhouse/contract/notices';
import type { Actor } from '../accounts/authority.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';

/** The route of the notices: what the start found is the same until the next one. */
export function noticesRoutes(codes: readonly NoticeCode[]): BoundRoute<Actor>[] {
  return [handle(listNotices, async () => ({ data: codes.map((code) => ({ code, ...NOTICES[code] })) }))];
}
