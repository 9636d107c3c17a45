import type { PendingBet } from './pendingBet.ts';

export type BetStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** My bets lists them anyway. */
const KEPT_MS = 24 * 60 * 60_000;

/** One entry per bet, so tabs never overwrite each other. */
export function betStore(storage: BetStorage, accountId: string) {
  const prefix = `bet/${accountId}/`;
  return {
    prefix,
    save(bet: PendingBet): boolean {
      try {
        storage.setItem(prefix + bet.requestId, JSON.stringify(bet));
        return true;
      } catch {
        return false;
      }
    },
    stored(): PendingBet[] {
      const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
      return names
        .filter((name) => name.startsWith(prefix))
        .flatMap((name) => readBet(storage.getItem(name), accountId))
        .toSorted((a, b) => (a.requestId < b.requestId ? -1 : 1));
    },
    remove(requestId: string): void {
      storage.removeItem(prefix + requestId);
    },
    sweep(now: number): void {
      for (const { requestId, closesAt, outcome } of this.stored())
        if (outcome.kind !== 'pending' && closesAt + KEPT_MS < now) this.remove(requestId);
    },
  };
}

function readBet(text: string | null, accountId: string): PendingBet[] {
  try {
    const bet = JSON.parse(text ?? 'null') as PendingBet | null;
    const isBet =
      bet !== null &&
      bet.accountId === accountId &&
      typeof bet.requestId === 'string' &&
      typeof bet.drawId === 'string' &&
      Number.isFinite(bet.closesAt) &&
      Number.isInteger(bet.inDoubt) &&
      Array.isArray(bet.lines) &&
      ['pending', 'placed', 'not placed'].includes(bet.outcome?.kind);
    return isBet ? [bet] : [];
  } catch {
    return [];
  }
}
