import { ownNotices } from '@drawhouse/contract/auth/own-notices';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call, errorMessage } from '../../lib/server/api.ts';
import { queryKeys } from '../../lib/server/queryKeys.ts';
import { DateTime } from '../../ui/mark/DateTime.tsx';
import { ErrorState } from '../../ui/page/PageStates.tsx';
import { profileTexts } from './profileTexts.ts';
import classes from './SessionList.module.css';

const texts = profileTexts.notices;

/** What happened to the own login, by whomever. */
export function OwnNotices() {
  const { data, error, refetch } = useQuery({
    queryKey: [queryKeys.session, 'notices'],
    queryFn: ({ signal }) => call(ownNotices, {}, { signal }),
  });
  if (!data) {
    return error ? (
      <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={64} radius="md" />
    );
  }
  if (data.data.length === 0) return <Text c="dimmed">{texts.none}</Text>;
  return (
    <>
      <Text c="dimmed" size="sm" mb="xs">
        {texts.meaning}
      </Text>
      <ul className={classes.list}>
        {data.data.map(({ _id: id, kind, by, ipAddress, createdAt }) => (
          <li key={id}>
            <div>
              <div className={classes.device}>{texts.kinds[kind]}</div>
              <div className={classes.facts}>
                <span>{texts.by(by, ipAddress)}</span>
                <DateTime value={createdAt} relative />
              </div>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
