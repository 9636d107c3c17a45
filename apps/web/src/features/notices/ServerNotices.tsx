import { listNotices } from '@drawhouse/contract/notices/notices';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { RouteAnswer } from '@drawhouse/contract/frame/route';
import { call } from '../../lib/api.ts';
import { formatDateTime } from '../../lib/format.ts';
import { pagePath } from '../../lib/paths.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useUser } from '../../lib/useSession.ts';
import { PathLink } from '../../ui/PathLink.tsx';
import classes from './ServerNotices.module.css';

/** A clock may be set back at any time. */
const LOOK_EVERY_MS = 30_000;

interface Props {
  /** What is so now and passes, as when bets wait or a backup failed, or how the server is set up. */
  readonly when: 'now' | 'always';
}

type Notice = RouteAnswer<typeof listNotices>['data'][number];

/** What a superadmin ought to know of the server, or an admin of its backups; nothing when all is well. */
export function ServerNotices({ when }: Props) {
  const user = useUser();
  const { data } = useQuery({
    queryKey: [queryKeys.notices],
    queryFn: ({ signal }) => call(listNotices, {}, { signal, background: true }),
    refetchInterval: LOOK_EVERY_MS,
  });
  const shown = data?.data.filter((notice) => passes(notice) === (when === 'now')) ?? [];
  if (shown.length === 0) return null;
  return (
    <ul className={classes.notices} data-when={when}>
      {shown.map(({ code, title, text, until, admin, detail, last }) => (
        <li key={`${code} ${admin}`} className={classes.notice}>
          <IconAlertTriangle size={20} className={classes.icon} aria-hidden />
          <div>
            <h2 className={classes.title}>
              {admin === undefined || admin === user.username ? title : `${title}: ${admin}`}
            </h2>
            {detail !== undefined && <p className={classes.detail}>{detail}</p>}
            {last !== undefined && <p className={classes.detail}>{lastText(last)}</p>}
            <p className={classes.text}>
              {text}
              {until !== undefined && <strong> Otherwise it lasts until {formatDateTime(until)}.</strong>}
            </p>
            {admin === user.username && (
              <PathLink href={pagePath(user.role, 'backup')} className={classes.link}>
                Open Backup
              </PathLink>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Whether it is so now and passes by itself, or when somebody does something about what it is of. */
function passes({ until, detail, last }: Notice): boolean {
  return until !== undefined || detail !== undefined || last !== undefined;
}

function lastText(last: string | null): string {
  return last === null ? 'There is none so far.' : `The last one is of ${formatDateTime(last)}.`;
}
