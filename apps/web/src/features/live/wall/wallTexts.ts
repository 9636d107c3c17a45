import { formatCount } from '../../../lib/format.ts';

export const wallTexts = {
  name: (panel: string): string => `Wall screen of ${panel}`,
  leave: 'leave the wall screen',
  draw: 'Draw',
  most: (count: number, all: number): string => `The ${count} most staked of ${formatCount(all)} numbers`,
  noBets: 'Nothing is staked on this draw yet.',
  leaves: 'leaves',
  lastResults: 'Last results',
  noResults: 'No results yet.',
  reconnecting: (from: string): string => `Reconnecting. The figures are those of ${from}.`,
  crowdedOut: (from: string): string => `Too many live panels are open. The figures are those of ${from}.`,
  stale: (from: string): string => `Stale: the draw is overdue. The figures are those of ${from}.`,
} as const;
