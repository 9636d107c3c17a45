import { CHECKPOINT } from './cleared-tables.ts';
import type { TableOwner } from './table-owner.ts';

export const RESTORE_TABLES = {
  networks_beside: {
    owner: 'backup',
    ofNetwork: false,
    backup: { left: 'what stands beside is no network yet, or none any more' },
    readers: {
      activity: 'what the product does in what is staged belongs to its admin',
      ledger: 'a network is made of what stood beside',
    },
    clearing: { stays: 'what stands beside is never cleared' },
  },
  restores: {
    owner: 'backup',
    ofNetwork: true,
    backup: 'of the network',
    ofRoot: { root_log_from: 'log', root_log_until: 'log', root_version_from: 'border', root_version_until: 'border' },
    readers: { credit: 'a statement passes over what a restore has undone on the other side of a border' },
    clearing: CHECKPOINT.clearing,
  },
  undone_activity: {
    owner: 'backup',
    ofNetwork: true,
    backup: 'of the network',
    ofRoot: { seq: 'log' },
    clearing: CHECKPOINT.clearing,
  },
  moves: {
    owner: 'backup',
    ofNetwork: true,
    backup: 'of the network',
    readers: { credit: 'a statement finds the other side of a border by the versions that count since' },
    clearing: CHECKPOINT.clearing,
  },
  moved_activity: {
    owner: 'backup',
    ofNetwork: true,
    backup: 'of the network',
    ofRoot: { seq: 'log' },
    readers: {
      credit: 'a statement names who gave credit elsewhere',
      reports: 'a transfer names who made it elsewhere',
      protection: 'a change names who made it elsewhere',
    },
    clearing: { stays: 'what happened elsewhere follows from it' },
  },
} satisfies Record<string, TableOwner>;
