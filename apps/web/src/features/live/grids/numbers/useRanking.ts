import type { Panel } from '@drawhouse/contract/live/live';
import { useState } from 'react';
import { rankedIndexes } from './numberMath.ts';
import type { Order } from './numberMath.ts';

/** By what the numbers stand where not as they are counted: as it was at that moment, so that none moves away beneath a finger. */
export interface Ranking {
  order: Exclude<Order, 'number'>;
  indexes: readonly number[];
  drawId: string;
  /** The server's time. */
  at: string;
}

/** The ranking of a panel's numbers, null where they stand as they are counted, and how another one is asked for. With the draw it comes anew. */
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
