import type { PanelRow } from '@drawhouse/contract/live/live';
import { useEffect, useRef, useState } from 'react';
import { inRanking } from './inRanking.ts';

/** Numbers that are sorted by their net change places this often, and not with each bet. */
const RANKED_EVERY_MS = 1_000;

/** Rows in an order that stands still for a while. */
export interface RankedRows {
  shown: readonly PanelRow[];
  /** Lets them stand still until they are released. */
  hold: () => void;
  release: () => void;
}

/** The rows of a tier: where they are sorted, each bet changes what stands on them at once, and their places only now and then. */
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
