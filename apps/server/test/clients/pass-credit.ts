import { pointsOf } from '@drawhouse/contract/core/primitives';
import { appendActivity } from '../../src/activity/append-activity.ts';
import type { Services } from '../../src/platform/services.ts';
import { post, type Posting } from '../../src/ledger/post.ts';
import type { TestApp } from '../harness.ts';

export interface Pass {
  readonly from: string;
  readonly to: string;
  readonly amount: number;
}

/** Needs no calls, password or fixed clock; logs like the calls. */
export async function passCredit(
  t: TestApp,
  networkId: number,
  services: Pick<Services, 'clock' | 'newId'>,
  passes: readonly Pass[],
): Promise<void> {
  const postings = passes.map(({ from, to, amount }): Posting => ({
    from: `credit:${from}`,
    to: `credit:${to}`,
    amount: BigInt(amount),
    kind: 'give',
    actorId: from,
    reference: null,
  }));
  await t.db.transaction(async (tx) => {
    const { transferIds } = await post(tx, networkId, { ...services, events: t.app.services.events }, postings);
    const entries = passes.map(({ from, to, amount }, index) => ({
      accountId: from,
      username: 'test',
      subject: 'Gave credit',
      origin: { url: '/test', method: 'POST', ip: '127.0.0.1' },
      detail: {
        transferId: transferIds[index],
        targetId: to,
        amount: pointsOf(BigInt(amount)),
        direction: 'give',
      },
    }));
    await appendActivity(tx, networkId, services, entries);
  });
}
