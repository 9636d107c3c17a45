import { userCount } from '@drawhouse/contract/account-counts';
import { ROLES } from '@drawhouse/contract/primitives';
import type { RouteAnswer } from '@drawhouse/contract/route';
import { Button, Skeleton } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { call, errorMessage } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { creditPath, listPath } from '../../lib/paths.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useUser } from '../../lib/useSession.ts';
import { messages } from '../../messages.ts';
import type { Level } from '../../messages.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PathLink } from '../../ui/PathLink.tsx';
import classes from './DashboardPage.module.css';
import { ServerNotices } from './ServerNotices.tsx';

type Counts = RouteAnswer<typeof userCount>;

const COUNT_OF = {
  admin: (counts) => counts.countAdmins,
  superdistributor: (counts) => counts.countSuperDistributors,
  distributor: (counts) => counts.countDistributors,
  retailer: (counts) => counts.countRetailers,
  user: (counts) => counts.count,
} satisfies Record<Level, (counts: Counts) => number>;

/** How many accounts there are of each level below the signed-in account, each number leading to its list. */
export function DashboardPage() {
  const user = useUser();
  const levels = ROLES.slice(ROLES.indexOf(user.role) + 1) as Level[];
  const { data, error, refetch } = useQuery({
    queryKey: [queryKeys.counts],
    queryFn: ({ signal }) => call(userCount, {}, { signal }),
  });
  return (
    <>
      <PageHeader
        title={messages.dashboard.title}
        action={
          user.role === 'superadmin' && (
            <Button
              component={PathLink}
              href={creditPath(user.role, user.role, 'creditadjust', user._id)}
              leftSection={<IconCoins size={16} aria-hidden />}
            >
              Issue credit
            </Button>
          )
        }
      />
      {error && !data ? (
        <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <ul className={classes.cards}>
          {levels.map((level) => (
            <li key={level}>
              <PathLink href={listPath(user.role, level)} className={classes.card}>
                <span className={classes.name}>{messages.dashboard.cards[level]}</span>
                {data ? (
                  <span className={classes.count}>{formatCount(COUNT_OF[level](data))}</span>
                ) : (
                  <Skeleton height={28} width={64} mt={6} />
                )}
              </PathLink>
            </li>
          ))}
        </ul>
      )}
      {user.role === 'superadmin' && <ServerNotices />}
    </>
  );
}
