import { IconAlertTriangle } from '@tabler/icons-react';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { formatDateTime } from '../../lib/format/format.ts';
import { pagePath } from '../../lib/paths.ts';
import { useUser } from '../../lib/session/session.ts';
import { PathLink } from '../../ui/page/PathLink.tsx';
import classes from './ServerNotices.module.css';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { queryKeys } from '../../lib/server/queryKeys.ts';

interface Props {
  /** `now`: temporary conditions such as a failed backup. `always`: the server's setup. */
  readonly when: 'now' | 'always';
}

type Notice = RouteAnswer<typeof listNotices>['data'][number];

export function ServerNotices({ when }: Props) {
  const user = useUser();
  const shown = useNotices()?.data.filter((notice) => passes(notice) === (when === 'now')) ?? [];
  if (shown.length === 0) return null;
  return (
    <ul className={classes.notices} data-when={when}>
      {shown.map(({ code, title, text, since, until, about, admin, detail, last }) => (
        <li key={`${code} ${about} ${admin} ${detail}`} className={classes.notice}>
          <IconAlertTriangle size={20} className={classes.icon} aria-hidden />
          <div>
            <h2 className={classes.title}>{titleOf(title, about ?? (admin === user.username ? undefined : admin))}</h2>
            {detail !== undefined && <p className={classes.detail}>{detail}</p>}
            {last !== undefined && <p className={classes.detail}>{lastText(last)}</p>}
            <p className={classes.text}>
              {text}
              {until !== undefined && <strong> Otherwise it lasts until {formatDateTime(until)}.</strong>}
            </p>
            {since !== undefined && <p className={classes.since}>Since {formatDateTime(since)}</p>}
            {code === 'AUDIT_FAILED' && (
              <PathLink href={pagePath(user.role, 'liability')} className={classes.link}>
                Open Liability
              </PathLink>
            )}
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

function passes({ until, detail, last }: Notice): boolean {
  return until !== undefined || detail !== undefined || last !== undefined;
}

function titleOf(title: string, of: string | undefined): string {
  return of === undefined ? title : `${title}: ${of}`;
}

function lastText(last: string | null): string {
  return last === null ? 'None so far.' : `Last one: ${formatDateTime(last)}.`;
}

/** Milliseconds. Conditions may change at any time. */
const LOOK_EVERY_MS = 30_000;

/** Polls; undefined before the first answer. */
export function useNotices(): RouteAnswer<typeof listNotices> | undefined {
  const { data } = useQuery({
    queryKey: [queryKeys.notices],
    queryFn: ({ signal }) => call(listNotices, {}, { signal, background: true }),
    refetchInterval: LOOK_EVERY_MS,
  });
  return data;
}
