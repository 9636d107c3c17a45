import { listActivity } from '@drawhouse/contract/activity';
import type { BoundRoute } from '../http/handler.ts';
import { handle } from '../http/handler.ts';
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
  total: bigint;
}

/** The routes of the activity log. */
export function activityRoutes({ db }: Services): BoundRoute<Author>[] {
  return [
    handle(listActivity, async ({ query }, { actor }) => {
      const pageSize = query.pageSize ?? (query.page || query.search || query.sort ? 25 : 10_000);
      const rows = await db.query<LogRow>(
        `select l.id, l.username, l.subject, l.url, l.method, l.ip, l.at, count(*) over () as total
         from activity l join accounts a on a.id = l.account_id
         where a.chain @> array[$1]::uuid[]
           and ($2::text is null or l.username ilike $2 or l.subject ilike $2)
           and ($3::date is null or (l.at >= $3::date and l.at < $3::date + 1))
         order by l.id desc limit $4 offset $5`,
        [
          actor.id,
          query.search ? `%${query.search.replace(/[\\%_]/g, '\\$&')}%` : null,
          query.date ?? null,
          pageSize,
          ((query.page ?? 1) - 1) * pageSize,
        ],
      );
      return {
        total: Number(rows[0]?.total ?? 0),
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
