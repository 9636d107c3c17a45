import type { Account } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/core/primitives';
import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '@drawhouse/session/api-client';
import { errorMessage } from '../../lib/server/api.ts';
import { homePath, listPath } from '../../lib/paths.ts';
import { useUser } from '../../lib/session/session.ts';
import { commonTexts } from '../../commonTexts.ts';
import { ErrorState } from '../../ui/page/PageStates.tsx';
import { NotFoundState } from '../../ui/page/NotFoundState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { accountQuery } from '../../lib/server/accountLookup.ts';
import { accountsTexts } from './accountsTexts.ts';

interface AccountLoadProps {
  level: Role;
  id: string;
  title: string;
  skeleton?: ReactNode;
  /** Waits for fresh data, as forms need. */
  fresh?: boolean;
  children: (account: Account) => ReactNode;
}

const FIELDS = [1, 2, 3, 4, 5];

export function AccountLoad({ level, id, title, skeleton, fresh = false, children }: AccountLoadProps) {
  const { role: viewer } = useUser();
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    ...accountQuery(level, id),
    ...(fresh && { refetchOnMount: 'always' as const }),
  });
  // Cached data survives a failed refetch, but not a 404.
  const gone = error instanceof ApiError && error.status === 404;
  const ready = !fresh || isFetchedAfterMount;
  if (data && ready && !gone) return children(data.data);
  return (
    <>
      <PageHeader title={title} />
      {gone ? (
        <NotFoundState what={accountsTexts.thisAccount} to={wayOn(viewer, level)} />
      ) : error ? (
        <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        (skeleton ?? (
          <Stack gap="md" maw={420} aria-hidden>
            {FIELDS.map((field) => (
              <Skeleton key={field} height={56} />
            ))}
          </Stack>
        ))
      )}
    </>
  );
}

function wayOn(viewer: Role, level: Role): { label: string; href: string } {
  return level === 'superadmin' || level === viewer
    ? { label: commonTexts.dashboard.label, href: homePath(viewer) }
    : { label: commonTexts.dashboard.cards[level], href: listPath(viewer, level) };
}
