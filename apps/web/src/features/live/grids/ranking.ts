import type { PanelRow, Panel } from '@drawhouse/contract/live/live';
import { useEffect, useRef, useState } from 'react';
import { rankedIndexes, type Order } from './numbers/numberMath.ts';

const RANKED_EVERY_MS = 1_000;

export interface RankedRows {
  shown: readonly PanelRow[];
  /** Freezes the order until `release`. */
  hold: () => void;
  release: () => void;
}

/** Figures update with each bet, the order less often. */
export function useRankedRows(rows: readonly PanelRow[], isSorted: boolean): RankedRows {
  const [isHeld, setIsHeld] = useState(false);
  const [ranking, setRanking] = useState(() => rows.map(({ drawno }) => drawno));
  const latest = useRef(rows);
  useEffect(() => {
    latest.current = rows;
  });
  useEffect(() => {
    if (!isSorted || isHeld) return;
    const timer = setInterval(() => setRanking(latest.current.map(({ drawno }) => drawno)), RANKED_EVERY_MS);
    return () => clearInterval(timer);
  }, [isSorted, isHeld]);
  return {
    shown: isSorted ? inRanking(rows, ranking) : rows,
    hold: () => setIsHeld(true),
    release: () => setIsHeld(false),
  };
}

export function inRanking(rows: readonly PanelRow[], ranking: readonly string[]): readonly PanelRow[] {
  const byDrawno = new Map(rows.map((row) => [row.drawno, row]));
  return ranking.flatMap((drawno) => byDrawno.get(drawno) ?? []);
}

/** A snapshot, so that numbers do not move under a finger. */
export interface Ranking {
  order: Exclude<Order, 'number'>;
  indexes: readonly number[];
  drawId: string;
  at: string;
}

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
