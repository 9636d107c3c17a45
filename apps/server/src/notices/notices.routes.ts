import { listNotices, NOTICES } from '@drawhouse/contract/notices/notices';
import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { Actor } from '../accounts/authority.ts';
import { handle } from '../http/handler.ts';
import type { BoundRoute } from '../http/handler.ts';

/** The route of the notices, which are those that `found` gives for a caller at that moment. */
export function noticesRoutes(found: (actor: Actor) => Promise<readonly FoundNotice[]>): BoundRoute<Actor>[] {
  return [
    handle(listNotices, async (_input, { actor }) => ({
      data: (await found(actor)).map(({ code, ...notice }) => ({ code, ...NOTICES[code], ...notice })),
    })),
  ];
}
