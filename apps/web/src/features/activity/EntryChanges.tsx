import { logEntry } from '@drawhouse/contract/activity/activity';
import { Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call, errorMessage } from '../../lib/api.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import classes from './EntryChanges.module.css';

const NONE = '–';

/** What an entry of the log tells was before and was then, each thing in words. */
export function EntryChanges({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [queryKeys.activity, 'entry', id],
    queryFn: ({ signal }) => call(logEntry, { params: { id } }, { signal }),
    // What is written in the log never changes.
    staleTime: Infinity,
  });
  if (error && !data) return <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={72} my="md" aria-label="What changed" />;
  const { changes } = data.data;
  if (changes.length === 0)
    return (
      <Text c="dimmed" my="md">
        Nothing else was changed.
      </Text>
    );
  const isOfSome = changes.some(({ of }) => of !== undefined);
  return (
    <div className={classes.scroll}>
      <Table className={classes.changes} aria-label="What changed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">What</Table.Th>
            {isOfSome && <Table.Th scope="col">Of</Table.Th>}
            <Table.Th scope="col">Before</Table.Th>
            <Table.Th scope="col">After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ what, of, before, after }) => (
            <Table.Tr key={`${what} ${of ?? ''}`}>
              <Table.Th scope="row">{what}</Table.Th>
              {isOfSome && <Table.Td>{of}</Table.Td>}
              <Table.Td c={before === null ? 'dimmed' : undefined}>{before ?? NONE}</Table.Td>
              <Table.Td c={after === null ? 'dimmed' : undefined}>{after ?? NONE}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
