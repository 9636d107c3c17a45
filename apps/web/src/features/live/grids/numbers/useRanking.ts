import type { Panel } from '@drawhouse/contract/live/live';
import { useState } from 'react';
import { rankedIndexes } from './numberMath.ts';
import type { Order } from './numberMath.ts';

/** A snapshot, so that numbers do not move under a finger. */
export interface Ranking {
  order: Exclude<Order, 'number'>;
  indexes: readonly number[];
  drawId: string;
  /** Server time. */
  at: string;
}

/** Null in numeric order. Refreshed with each draw. */
export function useRanking(panel: Panel): [ranking: Ranking | null, setOrder: (order: Order) => void] {
  const [ranking, setRanking] = useState<Ranking | null>(null);
  if (ranking && ranking.drawId !== drawIdOf(panel)) setRanking(rank(ranking.order, panel));
  return [ranking, (order) => setRanking(order === 'number' ? null : rank(order, panel))];
}

function rank(order: Ranking['order'], panel: Panel): Ranking {
  return { order, indexes: rankedIndexes(panel.data, order), drawId: drawIdOf(panel), at: panel.serverTime };
}

function drawIdOf({ draw }: Panel): string {
  return draw?._id ?? '';
}
