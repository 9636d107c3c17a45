import { listNotices } from '@drawhouse/contract/notices/notices';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { formatDateTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useUser } from '../../lib/useSession.ts';
import classes from './ServerNotices.module.css';

/** A clock may be set back at any time. */
const LOOK_EVERY_MS = 30_000;

interface Props {
  /** What is so now and passes, as when bets wait or a backup failed, or how the server is set up. */
  readonly when: 'now' | 'always';
}

/** What a superadmin ought to know of the server, or an admin of its backups; nothing when all is well. */
export function ServerNotices({ when }: Props) {
  const user = useUser();
  const { data } = useQuery({
    queryKey: [queryKeys.notices],
    queryFn: ({ signal }) => call(listNotices, {}, { signal, background: true }),
    refetchInterval: LOOK_EVERY_MS,
  });
  const shown = data?.data.filter(({ until, detail }) => ((until ?? detail) !== undefined) === (when === 'now')) ?? [];
  if (shown.length === 0) return null;
  return (
    <ul className={classes.notices} data-when={when}>
      {shown.map(({ code, title, text, until, admin, detail }) => (
        <li key={`${code} ${admin}`} className={classes.notice}>
          <IconAlertTriangle size={20} className={classes.icon} aria-hidden />
          <div>
            <h2 className={classes.title}>
              {admin === undefined || admin === user.username ? title : `${title}: ${admin}`}
            </h2>
            {detail !== undefined && <p className={classes.detail}>{detail}</p>}
            <p className={classes.text}>
              {text}
              {until !== undefined && <strong> Otherwise it lasts until {formatDateTime(until)}.</strong>}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
