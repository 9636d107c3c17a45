import { fetchUserById } from '@drawhouse/contract/accounts/account-children';
import type { ObjectRef } from '@drawhouse/contract/core/list';
import type { Role } from '@drawhouse/contract/core/primitives';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { ApiError } from '@drawhouse/session/api-client';
import { callQuery, errorMessage } from '../../lib/server/api.ts';
import { go } from '../../lib/navigation.ts';
import { homePath, objectPath, type AccountAction } from '../../lib/paths.ts';
import { useUser } from '../../lib/session/session.ts';
import { commonTexts } from '../../commonTexts.ts';
import { ErrorState } from '../../ui/page/PageStates.tsx';
import { NotFoundState } from '../../ui/page/NotFoundState.tsx';
import { LoadingOverlay } from '../../ui/page/Loading.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { routeTexts } from '../shell/shellTexts.ts';

const TITLES: Record<AccountAction, string> = {
  edit: commonTexts.accounts.editLabel,
  credittransfer: commonTexts.credit.transfer,
  creditadjust: commonTexts.credit.adjust,
  statement: commonTexts.statement.title,
};

interface ResolveRouteProps {
  title: string;
  id: string;
  children: (level: Role) => ReactNode;
}

interface ActionRouteProps {
  action: AccountAction;
  id: string;
  children: (level: Role) => ReactNode;
}

export function ResolveRoute({ action, ...rest }: ActionRouteProps) {
  return <ResolveAccount title={TITLES[action]} {...rest} />;
}

/** Falls back to the viewer's own profile. */
export function AccountRoute({ id }: { id: string }) {
  return (
    <ResolveAccount title={routeTexts.account} id={id}>
      {(role) => <Forward about={{ kind: 'account', id, role }} />}
    </ResolveAccount>
  );
}

function Forward({ about }: { about: ObjectRef }) {
  const user = useUser();
  const href = objectPath(user, about) ?? homePath(user.role);
  useEffect(() => go.replace(href), [href]);
  return null;
}

/** Serves paths without the account's level. */
function ResolveAccount({ title, id, children }: ResolveRouteProps) {
  const { role } = useUser();
  const { data, error, refetch } = useQuery(callQuery(['accounts', 'any', id], fetchUserById, { query: { id } }));
  if (data) return children(data.data.role);
  return (
    <>
      <PageHeader title={title} />
      {error instanceof ApiError && error.status === 404 ? (
        <NotFoundState
          what={routeTexts.thisAccount}
          to={{ label: commonTexts.dashboard.label, href: homePath(role) }}
        />
      ) : error ? (
        <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <LoadingOverlay visible />
      )}
    </>
  );
}
