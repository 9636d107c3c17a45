import type { TableOwner } from './table-owner.ts';

const STAYS = { stays: 'what protects a player holds on' };

export const PLAYER_TABLES = {
  protection_changes: { owner: 'protection', ofNetwork: true, backup: 'of the network', clearing: STAYS },
  protections: { owner: 'protection', ofNetwork: true, backup: 'of the network', clearing: STAYS },
  landing_settings: {
    owner: 'players',
    ofNetwork: true,
    backup: 'of the network',
    clearing: { stays: 'it has what holds now' },
  },
  api_keys: {
    owner: 'api-keys',
    ofNetwork: true,
    backup: 'of the network',
    readers: { reports: 'a ticket of the Bet List names the key by which it was laid' },
    clearing: { stays: 'tickets name the key by which they were laid, also one that has ended' },
  },
  api_key_days: {
    owner: 'api-keys',
    ofNetwork: true,
    backup: 'of the network',
    clearing: { stays: 'what was laid by a key is a sum of each day' },
  },
} satisfies Record<string, TableOwner>;

export const NOTICE_TABLES = {
  held_notices: {
    owner: 'notices',
    ofNetwork: false,
    backup: { left: 'what holds is of this installation' },
    clearing: { stays: 'it has what holds now' },
  },
  notice_messages: {
    owner: 'notices',
    ofNetwork: false,
    backup: { left: 'what was sent is of this installation' },
    clearing: { stays: 'they are forgotten by themselves' },
  },
} satisfies Record<string, TableOwner>;
