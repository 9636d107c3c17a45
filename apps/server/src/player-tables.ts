import type { TableOwner } from './table-owner.ts';

const STAYS = { stays: 'what protects a player holds on' };

/** The tables of how players are protected, and of what the landing page tells of them. */
export const PLAYER_TABLES = {
  protection_changes: { owner: 'protection', ofNetwork: true, backup: 'of the network', clearing: STAYS },
  protections: { owner: 'protection', ofNetwork: true, backup: 'of the network', clearing: STAYS },
  landing_settings: {
    owner: 'players',
    ofNetwork: true,
    backup: 'of the network',
    clearing: { stays: 'it has what holds now' },
  },
} satisfies Record<string, TableOwner>;
