import { formatCount } from '../../../lib/format.ts';

export const wallTexts = {
  name: (panel: string): string => `Wall screen of ${panel}`,
  leave: 'leave the wall screen',
  draw: 'Draw',
  most: (count: number, all: number): string => `The ${count} most staked of ${formatCount(all)} numbers`,
  noBets: 'No bets on this draw yet.',
  leaves: 'keeps',
  lastResults: 'Last results',
  noResults: 'No results yet.',
  reconnecting: (from: string): string => `Reconnecting. Figures are from ${from}.`,
  crowdedOut: (from: string): string => `Too many live panels are open. Figures are from ${from}.`,
  stale: (from: string): string => `Stale: the draw is overdue. Figures are from ${from}.`,
} as const;
