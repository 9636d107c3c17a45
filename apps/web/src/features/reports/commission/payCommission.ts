import { payCommissions } from '@drawhouse/contract/credit/payouts';
import { BULK_MAX } from '@drawhouse/contract/core/primitives';
import type { PayoutResult } from '@drawhouse/contract/credit/payouts';
import { pendingCommissions } from '@drawhouse/contract/reports/commission';
import type { PendingCommission } from '@drawhouse/contract/reports/commission';
import { call } from '../../../lib/server/api.ts';
import { forgetKey, keyOfRequest } from '../../../lib/form/idempotencyKey.ts';
import { getSession } from '../../../lib/session/session.ts';

export async function allPending(
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly PendingCommission[]> {
  const rows = new Map<string, PendingCommission>();
  for (let page = 1; ; page++) {
    const paged = { ...query, sort: 'username', page: String(page), pageSize: String(BULK_MAX) };
    const { data } = await call(pendingCommissions.route, { query: paged }, { signal });
    for (const row of data) rows.set(row._id, row);
    if (data.length < BULK_MAX) return [...rows.values()];
  }
}

/**
 * Pays in batches of the maximum size. Resends repeat only unanswered batches. Throws if a call is refused or
 * unanswered.
 * @returns true if part of it had been paid before
 */
export async function payAll(
  rows: readonly PendingCommission[],
  password: string,
  isTold: (id: string) => boolean,
  tell: (results: readonly PayoutResult[]) => void,
): Promise<boolean> {
  const userId = getSession()?.user?._id;
  let repeated = false;
  for (let start = 0; start < rows.length; start += BULK_MAX) {
    const payouts = rows
      .slice(start, start + BULK_MAX)
      .map((row) => ({ toUserId: row._id, amount: row.totalCommission }));
    if (payouts.every(({ toUserId }) => isTold(toUserId))) continue;
    const request = JSON.stringify(['payouts', userId, payouts]);
    const { results } = await call(
      payCommissions,
      { body: { payouts, password, userId } },
      { idempotencyKey: keyOfRequest(request), onRepeated: () => void (repeated = true) },
    );
    forgetKey(request);
    tell(results);
  }
  return repeated;
}
