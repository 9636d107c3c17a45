import type { Account } from '@drawhouse/contract/accounts/accounts';
import type { Role } from '@drawhouse/contract/frame/primitives';
import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '@drawhouse/session/api-client';
import { errorMessage } from '../../lib/api.ts';
import { homePath, listPath } from '../../lib/paths.ts';
import { useUser } from '../../lib/useSession.ts';
import { commonTexts } from '../../commonTexts.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { NotFoundState } from '../../ui/NotFoundState.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { accountQuery } from './accountQueries.ts';

interface AccountLoadProps {
  level: Role;
  id: string;
  /** The page's title until the account is there. */
  title: string;
  /** What stands in place of the account until it is there; a form's shape when there is none. */
  skeleton?: ReactNode;
  /** Waits for what the server says now instead of starting from what was known: for forms. */
  fresh?: boolean;
  children: (account: Account) => ReactNode;
}

const FIELDS = [1, 2, 3, 4, 5];

/** A page about one account: its shape while it loads, why it could not be loaded, else the page. */
export function AccountLoad({ level, id, title, skeleton, fresh = false, children }: AccountLoadProps) {
  const { role: viewer } = useUser();
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    ...accountQuery(level, id),
    ...(fresh && { refetchOnMount: 'always' as const }),
  });
  // What is known stays while it is asked again, but not past being told that it is gone.
  const gone = error instanceof ApiError && error.status === 404;
  const ready = !fresh || isFetchedAfterMount;
  if (data && ready && !gone) return children(data.data);
  return (
    <>
      <PageHeader title={title} />
      {gone ? (
        <NotFoundState what="This account" to={wayOn(viewer, level)} />
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

/** The list that the account would stand in; the dashboard where the viewer has none. */
function wayOn(viewer: Role, level: Role): { label: string; href: string } {
  return level === 'superadmin' || level === viewer
    ? { label: commonTexts.dashboard.label, href: homePath(viewer) }
    : { label: commonTexts.dashboard.cards[level], href: listPath(viewer, level) };
}
