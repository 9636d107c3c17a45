import { listNotices, NOTICES, testWebhook, WEBHOOK_UNSET } from '@drawhouse/contract/notices/notices';
import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import type { Actor } from '../../accounts/authority.ts';
import { handle } from '../../platform/http/handler.ts';
import type { BoundRoute } from '../../platform/http/handler.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { NoticeWatch } from './notice-watch.ts';

type Webhook = Pick<NoticeWatch, 'host' | 'test'>;

export function noticesRoutes(
  found: (actor: Actor) => Promise<readonly FoundNotice[]>,
  webhook: Webhook | undefined,
): BoundRoute<Actor>[] {
  return [
    handle(listNotices, async (_input, { actor }) => ({
      data: (await found(actor)).map(({ code, ...notice }) => ({ code, ...NOTICES[code], ...notice })),
      ...(actor.role === 'superadmin' && { webhook: webhook?.host === undefined ? null : { to: webhook.host } }),
    })),
    handle(testWebhook, async () => {
      const answer = await webhook?.test();
      if (!answer) throw new CallError('RULE_REFUSED', { message: WEBHOOK_UNSET });
      const { says, ...came } = answer;
      return { message: says, ...came };
    }),
  ];
}
