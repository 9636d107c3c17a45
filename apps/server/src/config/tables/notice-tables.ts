import type { TableOwner } from './table-owner.ts';

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
