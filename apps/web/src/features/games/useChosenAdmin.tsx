import { livePairs } from '@drawhouse/contract/games/live-pairs';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { call } from '../../lib/api.ts';
import { withSearch } from '../../lib/paths.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useGo } from '../../lib/useGo.ts';
import { useUser } from '../../lib/useSession.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import classes from './EditableTable.module.css';

export interface ChosenAdmin {
  readonly id: string;
  readonly username: string;
}

/** Editable admins, and the one named by `admin` in the URL, defaulting to the first by name. */
export function useChosenAdmin() {
  const user = useUser();
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  const chooses = user.role === 'superadmin';
  const pairs = useQuery({
    queryKey: [queryKeys.games, 'pairs', user._id],
    queryFn: ({ signal }) => call(livePairs, {}, { signal }),
    enabled: chooses,
  });
  const admins = useMemo(
    (): readonly ChosenAdmin[] =>
      chooses
        ? [
            ...new Map(pairs.data?.data.map(({ adminId, username }) => [adminId, { id: adminId, username }])).values(),
          ].toSorted((a, b) => a.username.localeCompare(b.username))
        : [{ id: user._id, username: user.username }],
    [chooses, pairs.data, user],
  );
  const asked = new URLSearchParams(search).get('admin');
  return { pairs, admins, admin: admins.find(({ username }) => username === asked) ?? admins[0] };
}

interface AdminFilterProps {
  admin: ChosenAdmin;
  admins: readonly ChosenAdmin[];
  unsaved: boolean;
}

/** Renders nothing for a single admin. */
export function AdminFilter({ admin, admins, unsaved }: AdminFilterProps) {
  const go = useGo();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const [leavingTo, setLeavingTo] = useState<string | null>(null);
  const choose = (username: string) => go.replace(withSearch(path, { admin: username }));
  if (admins.length < 2) return null;
  return (
    <>
      <NativeSelect
        className={classes.filter}
        aria-label="Admin"
        value={admin.username}
        data={admins.map(({ username }) => username)}
        onChange={({ currentTarget: { value } }) => (unsaved ? setLeavingTo(value) : choose(value))}
      />
      <ConfirmDialog
        opened={leavingTo !== null}
        title="Leave without saving?"
        confirmLabel="Leave without saving"
        cancelLabel="Stay"
        danger
        onConfirm={() => leavingTo !== null && choose(leavingTo)}
        onClose={() => setLeavingTo(null)}
      >
        {`What you have typed for ${admin.username} will be lost.`}
      </ConfirmDialog>
    </>
  );
}

export function NoGames() {
  return <EmptyState title="No games available" text="A game has its row here once an admin has it." />;
}
