import * as z from 'zod/mini';
import { list } from '../core/list.ts';
import { id, points, role, STAFF_ROLES, time } from '../core/primitives.ts';
import { CORE_TEXTS, REPORT_FIELD_TEXTS } from '../core/field-texts.ts';

/** In points. Days follow the server's time zone. */
export const onlinePlayer = z.object({
  _id: id,
  username: z.string(),
  uniqueId: z.string(),
  points,
  /** Stakes and wins of draws settled today. */
  playPoints: points,
  winPoints: points,
  /** Claimed today, whenever won. Automatic claims count when paid. */
  claimPoints: points,
  /** Play minus win. */
  endPoints: points,
  /** Open socket, or a call within 2 minutes. */
  isOnline: z.boolean(),
  lastLogin: z.nullable(time),
});
export type OnlinePlayer = z.infer<typeof onlinePlayer>;

function amount<const Name extends keyof OnlinePlayer>(name: Name, header: string, yields = 0) {
  return { name, kind: 'points', header, width: 104, sort: true, yields, export: { width: 16 } } as const;
}

export const onlinePlayers = list({
  path: 'onlinePlayer',
  summary: "The players below the caller who are online, or all of them, with today's play of each.",
  access: STAFF_ROLES,
  permission: 'lists',
  query: { show: z.optional(z.enum(['online', 'all'], { error: REPORT_FIELD_TEXTS.wrongShow })) },
  row: onlinePlayer,
  columns: [
    {
      name: 'username',
      kind: 'text',
      header: 'User Name',
      width: 136,
      sort: true,
      priority: true,
      about: (row) => ({ kind: 'account', id: row._id, role: 'user' }),
      export: { width: 30 },
    },
    { name: 'uniqueId', kind: 'code', header: 'Unique Id', width: 104, sort: true, yields: 2, export: { width: 15 } },
    { ...amount('points', 'Points'), priority: true },
    amount('playPoints', 'Play Points'),
    amount('winPoints', 'Win Points'),
    amount('claimPoints', 'Claim Points', 1),
    amount('endPoints', 'End Points'),
    {
      name: 'isOnline',
      kind: 'flag',
      header: 'Is Online',
      width: 106,
      sort: true,
      export: { width: 12, value: (row: OnlinePlayer) => (row.isOnline ? 'Online' : 'Offline') },
    },
    { name: 'lastLogin', kind: 'time', header: 'Last Login', width: 126, sort: true, export: { width: 25 } },
  ],
  search: CORE_TEXTS.searchNamesAndReferences,
  order: '-lastLogin',
  extra: {
    role,
  },
  file: { name: 'PlayersOnline', sheet: 'Online Players', numbered: true },
});
