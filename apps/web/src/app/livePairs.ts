import type { LivePair } from '@drawhouse/contract/games/live-pairs';
import { hasAllWords } from '../lib/hasAllWords.ts';

/** The panels of one admin. */
export interface AdminPanels {
  adminId: string;
  username: string;
  pairs: readonly LivePair[];
}

/** What tells a pair from all others. */
export function pairKey({ adminId, gameId }: LivePair): string {
  return `${adminId}/${gameId}`;
}

/** The pairs whose game and admin have every word of the search between them. */
export function searchPairs(pairs: readonly LivePair[], search: string): readonly LivePair[] {
  return pairs.filter((pair) => hasAllWords(`${pair.gameName} ${pair.username}`, search));
}

/** The pairs admin by admin: the admins by their names, the games of each in the order in which they come. */
export function groupByAdmin(pairs: readonly LivePair[]): readonly AdminPanels[] {
  const groups = new Map<string, AdminPanels & { pairs: LivePair[] }>();
  for (const pair of pairs) {
    const { adminId, username } = pair;
    const group = groups.get(adminId) ?? { adminId, username, pairs: [] };
    group.pairs.push(pair);
    groups.set(adminId, group);
  }
  return [...groups.values()].toSorted((a, b) => a.username.localeCompare(b.username, 'en', { numeric: true }));
}
