import type { expand as expandBets } from '@drawhouse/rules/bet-text/expand';
import { useState } from 'react';
import { useLazyModule } from '../../lib/useLazyModule.ts';

export type Expand = typeof expandBets;

let expand: Expand | null = null;

/** Loads on first touch, so the board shows sooner. */
export async function fetchExpand(): Promise<Expand> {
  expand ??= (await import('@drawhouse/rules/bet-text/expand')).expand;
  return expand;
}

export function useExpand(): readonly [expand: Expand | null, want: () => void, isWanted: boolean] {
  const [isWanted, setWanted] = useState(false);
  useLazyModule(isWanted, fetchExpand);
  return [expand, () => setWanted(true), isWanted];
}
