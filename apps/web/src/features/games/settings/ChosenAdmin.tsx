import type { listBeacons } from '@drawhouse/contract/games/game-beacons';
import type { listLimits } from '@drawhouse/contract/games/limits';
import type { listClosures } from '@drawhouse/contract/games/schedules';
import { livePairs } from '@drawhouse/contract/games/game-pair';
import type { RouteAnswer, RouteInput } from '@drawhouse/contract/core/route';
import { NativeSelect } from '@mantine/core';
import { useQuery, type QueryKey } from '@tanstack/react-query';
import { useMemo, useState, type ComponentType } from 'react';
import { call, callQuery, errorMessage } from '../../../lib/server/api.ts';
import { withSearch } from '../../../lib/paths.ts';
import { go, useAddress, usePathname } from '../../../lib/navigation.ts';
import { useUser } from '../../../lib/session/session.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { EmptyState, ErrorState } from '../../../ui/page/PageStates.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { PageSkeleton } from '../../../ui/page/Loading.tsx';
import classes from './EditableTable.module.css';
import { compareNames } from '../../../lib/format/format.ts';
import { gameTexts } from '../gameTexts.ts';

interface ChosenAdmin {
  readonly id: string;
  readonly username: string;
}

/** Defaults to the first admin by name. */
function useChosenAdmin() {
  const user = useUser();
  const search = useAddress((address) => address.search);
  const chooses = user.role === 'superadmin';
  const pairs = useQuery({
    ...callQuery(['games', 'pairs', user._id], livePairs, {}),
    enabled: chooses,
  });
  const admins = useMemo(
    (): readonly ChosenAdmin[] =>
      chooses
        ? [
            ...new Map(pairs.data?.data.map(({ adminId, username }) => [adminId, { id: adminId, username }])).values(),
          ].toSorted((a, b) => compareNames(a.username, b.username))
        : [{ id: user._id, username: user.username }],
    [chooses, pairs.data, user],
  );
  const wanted = new URLSearchParams(search).get('admin');
  return { pairs, admins, admin: admins.find(({ username }) => username === wanted) ?? admins[0] };
}

export interface AdminFormProps<R> {
  readonly admin: ChosenAdmin;
  readonly admins: readonly ChosenAdmin[];
  readonly queryKey: QueryKey;
  readonly answer: RouteAnswer<R>;
}

interface ChosenAdminPageProps<R> {
  readonly title: string;
  readonly name: string;
  readonly route: R;
  readonly everyMs?: number;
  readonly Form: ComponentType<AdminFormProps<R>>;
}

/** Superadmins choose the admin. */
export function ChosenAdminPage<R extends typeof listLimits | typeof listBeacons | typeof listClosures>(
  props: ChosenAdminPageProps<R>,
) {
  const { title, name, route, everyMs, Form } = props;
  const { pairs, admins, admin } = useChosenAdmin();
  const queryKey = ['games', name, admin?.id] as const;
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => call<R>(route, { params: { adminId: admin!.id } } as RouteInput<R>, { signal }),
    enabled: admin !== undefined,
    refetchInterval: everyMs,
  });
  if (admin && query.data) return <Form key={admin.id} {...{ admin, admins, queryKey }} answer={query.data} />;
  const error = (pairs.data ? null : pairs.error) ?? query.error;
  if (!error && (admin || !pairs.data)) return <PageSkeleton shape="table" />;
  return (
    <>
      <PageHeader title={title} />
      {error ? (
        <ErrorState
          message={errorMessage(error)}
          onRetry={() => void (pairs.error ? pairs.refetch() : query.refetch())}
        />
      ) : (
        <NoGames />
      )}
    </>
  );
}

interface AdminFilterProps {
  admin: ChosenAdmin;
  admins: readonly ChosenAdmin[];
  unsaved: boolean;
}

export function AdminFilter({ admin, admins, unsaved }: AdminFilterProps) {
  const path = usePathname();
  const [leavingTo, setLeavingTo] = useState<string | null>(null);
  const choose = (username: string) => go.replace(withSearch(path, { admin: username }));
  if (admins.length < 2) return null;
  return (
    <>
      <NativeSelect
        className={classes.filter}
        aria-label={gameTexts.admin}
        value={admin.username}
        data={admins.map(({ username }) => username)}
        onChange={({ currentTarget: { value } }) => (unsaved ? setLeavingTo(value) : choose(value))}
      />
      <ConfirmDialog
        opened={leavingTo !== null}
        title={gameTexts.leaveQuestion}
        confirmLabel={gameTexts.leaveWithoutSaving}
        cancelLabel={gameTexts.stay}
        danger
        onConfirm={() => leavingTo !== null && choose(leavingTo)}
        onClose={() => setLeavingTo(null)}
      >
        {gameTexts.yourChangesForWill(admin.username)}
      </ConfirmDialog>
    </>
  );
}

export function NoGames() {
  return <EmptyState title={gameTexts.noGamesAvailable} text={gameTexts.gamesAppearHereWhen} />;
}
