import type { PanelRow } from '@drawhouse/contract/live/live';
import { useEffect, useRef, useState } from 'react';
import { inRanking } from './inRanking.ts';

/** Minimum interval between reorderings by net. */
const RANKED_EVERY_MS = 1_000;

export interface RankedRows {
  shown: readonly PanelRow[];
  /** Freezes the order until `release`. */
  hold: () => void;
  release: () => void;
}

/** Figures update with each bet, the sort order only now and then. */
export function useRankedRows(rows: readonly PanelRow[], isSorted: boolean): RankedRows {
  const [held, setHeld] = useState(false);
  const [ranking, setRanking] = useState(() => rows.map(({ drawno }) => drawno));
  const latest = useRef(rows);
  useEffect(() => {
    latest.current = rows;
  });
  useEffect(() => {
    if (!isSorted || held) return;
    const timer = setInterval(() => setRanking(latest.current.map(({ drawno }) => drawno)), RANKED_EVERY_MS);
    return () => clearInterval(timer);
  }, [isSorted, held]);
  return {
    shown: isSorted ? inRanking(rows, ranking) : rows,
    hold: () => setHeld(true),
    release: () => setHeld(false),
  };
}
