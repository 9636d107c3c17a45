import { createPageStore } from '@drawhouse/session/page-store';

export interface OpenBet {
  readonly requestId: string;
  readonly gameId: string;
  readonly stake: number;
}

const openBets = createPageStore<readonly OpenBet[]>([]);
export const useOpenBets = openBets.useValue;

export function noteOpenBets(now: readonly OpenBet[]): void {
  const before = openBets.get();
  const isSame = now.length === before.length && now.every(({ requestId }, at) => before[at]!.requestId === requestId);
  if (!isSame) openBets.set(now);
}
