import type { TableOwner } from './table-owner.ts';

const STAYS = { stays: 'what protects a player holds on' };

/** The tables of how players are protected. */
export const PROTECTION_TABLES = {
  protection_changes: { owner: 'protection', ofNetwork: true, backup: 'of the network', clearing: STAYS },
  protections: { owner: 'protection', ofNetwork: true, backup: 'of the network', clearing: STAYS },
} satisfies Record<string, TableOwner>;
