import { randomUUID } from 'node:crypto';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/frame/primitives';
import { createSemaphore } from '../../apps/server/src/semaphore.ts';
import type { Semaphore } from '../../apps/server/src/semaphore.ts';
import { CallFailed } from './client.ts';
import type { Call } from './client.ts';
import { DEMO_PASSWORD } from './plan.ts';

/** An account of the demo as it is on the server. */
export interface Member {
  readonly id: string;
  readonly role: Role;
  readonly username: string;
  /** Who gives it credit; the superadmin issues its own. */
  readonly above: Member | undefined;
  /** Calls as this account. */
  readonly call: Call;
  /** One movement of credit at a time: each asks for the password, and many at once look like guessing. */
  readonly inTurn: Semaphore['run'];
}

/** What each level asks of the one above when its credit does not suffice: enough for those below, and some to keep. */
const REFILL: Readonly<Record<Role, number>> = {
  superadmin: 5_000_000,
  admin: 1_200_000,
  superdistributor: 400_000,
  distributor: 150_000,
  retailer: 50_000,
  user: 3_000,
};

/** An account on the server as a member of the demo. */
export function member(account: Omit<Member, 'inTurn'>): Member {
  return { ...account, inTurn: createSemaphore(1).run };
}

/** Passes credit to an account from the one above, which asks the one above it when it has too little. */
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

/** Does something that costs `payer` credit; when that is too little, gets more from above and does it again. */
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
