import { listNotices } from '@drawhouse/contract/notices/notices';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { formatDateTime } from '../../lib/format.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import classes from './ServerNotices.module.css';

/** A clock may be set back at any time. */
const LOOK_EVERY_MS = 30_000;

/**
 * What the superadmin ought to know of how the server runs now (`passing`: what ends by itself, and holds up bets until then), or of how it is
 * set up; nothing when all is well.
 */
export function ServerNotices({ passing = false }: { passing?: boolean }) {
  const { data } = useQuery({
    queryKey: [queryKeys.notices],
    queryFn: ({ signal }) => call(listNotices, {}, { signal, background: true }),
    refetchInterval: LOOK_EVERY_MS,
  });
  const shown = data?.data.filter(({ until }) => (until !== undefined) === passing) ?? [];
  if (shown.length === 0) return null;
  return (
    <ul className={classes.notices} data-passing={passing || undefined}>
      {shown.map(({ code, title, text, until }) => (
        <li key={code} className={classes.notice}>
          <IconAlertTriangle size={20} className={classes.icon} aria-hidden />
          <div>
            <h2 className={classes.title}>{title}</h2>
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
