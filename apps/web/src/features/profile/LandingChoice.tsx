import { setWelcomeShown, welcomeShown } from '@drawhouse/contract/players/welcome';
import { Checkbox, Skeleton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, errorMessage } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { failureNote } from '../../lib/RequestId.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';

const QUERY_KEY = [queryKeys.session, 'welcomeShown'];

/** Whether the landing page may tell of the winners of an admin's own network; it holds as soon as it is switched. */
export function LandingChoice() {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: QUERY_KEY,
    queryFn: ({ signal }) => call(welcomeShown, {}, { signal }),
  });
  const change = useMutation({
    mutationFn: (shown: boolean) => call(setWelcomeShown, { body: { shown } }),
    onSuccess: ({ message }) => notifications.show({ message }),
    onError: (refusal) => notifications.show({ color: 'red', message: failureNote(errorMessage(refusal)) }),
    onSettled: () => queries.invalidateQueries({ queryKey: QUERY_KEY }),
  });
  if (!data) {
    return error ? (
      <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={48} radius="md" />
    );
  }
  return (
    <Checkbox
      label="Show winners of this network"
      description="Anybody can open the landing page. It shows the game, the win and the first letter of the name."
      // While it is saved it stands as it was switched.
      checked={change.isPending ? change.variables : data.shown}
      disabled={change.isPending}
      onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
    />
  );
}
