import { endOwnSession, listSessions } from '@drawhouse/contract/auth/auth';
import type { OwnSession } from '@drawhouse/contract/auth/auth';
import { Button, Skeleton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, errorMessage } from '../../lib/server/api.ts';
import { queryKeys } from '../../lib/server/queryKeys.ts';
import { useSignOut } from '../../lib/session/sessionCalls.ts';
import { failureNote } from '../../lib/RequestId.tsx';
import { commonTexts } from '../../commonTexts.ts';
import { DateTime } from '../../ui/mark/DateTime.tsx';
import { ErrorState } from '../../ui/page/PageStates.tsx';
import { StatusBadge } from '../../ui/mark/StatusBadge.tsx';
import { deviceName } from '@drawhouse/contract/auth/device-name';
import classes from './SessionList.module.css';

/** Own session first, then by last use. */
export function SessionList() {
  const { data, error, refetch } = useQuery({
    queryKey: [queryKeys.session, 'own'],
    queryFn: ({ signal }) => call(listSessions, {}, { signal }),
  });
  if (!data) {
    return error ? (
      <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={64} radius="md" />
    );
  }
  const sessions = data.data.toSorted(
    (a, b) => Number(b.current) - Number(a.current) || Date.parse(b.lastUsedAt) - Date.parse(a.lastUsedAt),
  );
  return (
    <ul className={classes.list}>
      {sessions.map((session) => (
        <SessionRow key={session._id} session={session} />
      ))}
    </ul>
  );
}

function SessionRow({ session }: { session: OwnSession }) {
  const queries = useQueryClient();
  const signOutHere = useSignOut();
  const device = deviceName(session.userAgent);
  const end = useMutation({
    mutationFn: () => call(endOwnSession, { params: { sessionId: session._id } }),
    onSuccess: () => notifications.show({ message: `${device} is signed out.` }),
    onError: (error) => notifications.show({ color: 'red', message: failureNote(errorMessage(error)) }),
    onSettled: () => queries.invalidateQueries({ queryKey: [queryKeys.session, 'own'] }),
  });
  return (
    <li>
      <div>
        <div className={classes.device}>
          <span title={session.userAgent}>{device}</span>
          {session.current && <StatusBadge tone="good">This session</StatusBadge>}
        </div>
        <div className={classes.facts}>
          <span className={classes.ip}>{session.ipAddress}</span>
          <span>
            Signed in <DateTime value={session.createdAt} relative />
          </span>
          <span>
            Last used <DateTime value={session.lastUsedAt} relative />
          </span>
        </div>
      </div>
      <Button
        className={classes.end}
        variant="default"
        size="xs"
        loading={end.isPending}
        aria-label={`${commonTexts.auth.logout}: ${device}, ${session.ipAddress}${session.current ? ', this session' : ''}`}
        onClick={() => (session.current ? void signOutHere() : end.mutate())}
      >
        {commonTexts.auth.logout}
      </Button>
    </li>
  );
}
