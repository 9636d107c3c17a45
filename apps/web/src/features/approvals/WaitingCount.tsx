import { approvals } from '@drawhouse/contract/approvals/approvals';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { afterFirstPage } from '../../lib/lazyParts.ts';
import { call } from '../../lib/server/api.ts';
import { useUser } from '../../lib/session/session.ts';
import { queryKeys } from '../../lib/server/queryKeys.ts';
import { approvalTexts } from './approvalTexts.ts';
import classes from './Approvals.module.css';

const POLL_EVERY_MS = 30_000;

/** Number of requests that the user may decide, beside the menu entry. */
export function WaitingCount() {
  const { login } = useUser();
  const maySee = login === undefined || login.permissions.includes('lists');
  const [isLater, setLater] = useState(false);
  useEffect(() => afterFirstPage(() => setLater(true)), []);
  const { data } = useQuery({
    queryKey: [queryKeys.approvals, 'waiting'],
    queryFn: ({ signal }) =>
      call(
        approvals.route,
        { query: { state: 'waiting', from: 'others', page: '1', pageSize: '1' } },
        { signal, background: true },
      ),
    refetchInterval: POLL_EVERY_MS,
    enabled: isLater && maySee,
  });
  const count = data?.total ?? 0;
  return (
    count > 0 && (
      <span className={classes.count} title={approvalTexts.waiting(count)}>
        {count}
      </span>
    )
  );
}
