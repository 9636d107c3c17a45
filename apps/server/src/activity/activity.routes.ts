import { listActivity } from '@drawhouse/contract/activity';
import type { BoundRoute } from '../http/handler.ts';
import { handle } from '../http/handler.ts';
import { listPage } from '../http/list-page.ts';
import { containing } from '../db/like-pattern.ts';
import type { Services } from '../db/services.ts';
import type { Author } from './run-command.ts';

interface LogRow {
  id: string;
  username: string;
  subject: string;
  url: string;
  method: string;
  ip: string;
  at: Date;
}

/** The routes of the activity log. */
export function activityRoutes({ db, timeZone }: Services): BoundRoute<Author>[] {
  return [
    handle(listActivity, async ({ query }, { actor }) => {
      const { limit, offset } = listPage(query);
      // Whoever tried a name that nobody has belongs to no subtree: a superadmin sees it. A `date` is a day of the server's time zone.
      const visible = `activity l left join accounts a on a.id = l.account_id
         where (a.chain @> array[$1]::uuid[] or ($2 and l.account_id is null))
           and ($3::text is null or l.username ilike $3 or l.subject ilike $3)
           and ($4::date is null or (l.at >= $4::date::timestamp at time zone $5 and l.at < ($4::date + 1)::timestamp at time zone $5))
           and ($6::timestamptz is null or l.at >= $6) and ($7::timestamptz is null or l.at <= $7)`;
      // Ids sort by the time at which they were made.
      const order = query.sort === 'createdAt' ? 'asc' : 'desc';
      const values = [
        actor.id,
        actor.role === 'superadmin',
        containing(query.search),
        query.date ?? null,
        timeZone,
        query.startDate ?? null,
        query.endDate ?? null,
      ];
      const rows = await db.query<LogRow>(
        `select l.id, l.username, l.subject, l.url, l.method, l.ip, l.at from ${visible} order by l.id ${order} limit $8 offset $9`,
        [...values, limit, offset],
      );
      const [count] = await db.query<{ total: bigint }>(`select count(*) as total from ${visible}`, values);
      return {
        total: Number(count!.total),
        data: rows.map((row) => ({
          _id: row.id,
          username: row.username,
          subject: row.subject,
          requestUrl: row.url,
          method: row.method,
          ipAddress: row.ip,
          createdAt: row.at.toISOString(),
        })),
      };
    }),
  ];
}
