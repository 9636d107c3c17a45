import { randomUUID } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/core/primitives';
import { createSemaphore } from '../../apps/server/src/platform/time/semaphore.ts';
import type { Semaphore } from '../../apps/server/src/platform/time/semaphore.ts';
import { CallFailed } from './client.ts';
import type { Call } from './client.ts';
import { DEMO_PASSWORD } from './plan.ts';

export interface Member {
  readonly id: string;
  readonly role: Role;
  readonly username: string;
  /** Gives it credit; undefined for the superadmin, who issues it. */
  readonly above: Member | undefined;
  readonly call: Call;
  /** Concurrent passwords look like guessing. */
  readonly inTurn: Semaphore['run'];
}

/** Per level: enough for those below, with a reserve. */
const REFILL: Readonly<Record<Role, number>> = {
  superadmin: 5_000_000,
  admin: 1_200_000,
  superdistributor: 400_000,
  distributor: 150_000,
  retailer: 50_000,
  user: 3_000,
};

export function member(account: Omit<Member, 'inTurn'>): Member {
  return { ...account, inTurn: createSemaphore(1).run };
}

/** If the parent is short, it refills from its own parent. */
export async function give(to: Member, points: number = REFILL[to.role]): Promise<void> {
  const from = to.above;
  if (!from) return issue(to, points);
  await from.inTurn(() =>
    affording(from, points, () =>
      from.call(
        accountRoutes[to.role].creditTransfer,
        { body: { toUserId: to.id, transferAmount: points, password: DEMO_PASSWORD } },
        { idempotencyKey: randomUUID() },
      ),
    ),
  );
}

/** If `payer` lacks credit, refills and retries. */
export async function affording(payer: Member, points: number, spend: () => Promise<unknown>): Promise<void> {
  try {
    await spend();
  } catch (error) {
    if (!(error instanceof CallFailed) || error.code !== 'INSUFFICIENT_CREDIT') throw error;
    await give(payer, Math.max(points, REFILL[payer.role]));
    await spend();
  }
}

async function issue(superadmin: Member, points: number): Promise<void> {
  await superadmin.call(
    accountRoutes.superadmin.creditAdjust,
    { body: { toUserId: superadmin.id, adjustAmount: points, transactionType: 'credit', password: DEMO_PASSWORD } },
    { idempotencyKey: randomUUID() },
  );
}
