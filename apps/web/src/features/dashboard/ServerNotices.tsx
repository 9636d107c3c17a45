import { listNotices } from '@drawhouse/contract/notices';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import classes from './ServerNotices.module.css';

/** What the superadmin ought to change about how the server is set up; nothing when all is well. */
export function ServerNotices() {
  const { data } = useQuery({
    queryKey: [queryKeys.notices],
    queryFn: ({ signal }) => call(listNotices, {}, { signal }),
    // The server finds them as it starts.
    staleTime: Infinity,
  });
  if (!data || data.data.length === 0) return null;
  return (
    <ul className={classes.notices}>
      {data.data.map(({ code, title, text }) => (
        <li key={code} className={classes.notice}>
          <IconAlertTriangle size={20} className={classes.icon} aria-hidden />
          <div>
            <h2 className={classes.title}>{title}</h2>
            <p className={classes.text}>{text}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
