import { Badge, Button, Skeleton, Text } from '@mantine/core';
import { commonTexts } from '../../commonTexts.ts';
import { errorMessage } from '../../lib/server/api.ts';
import { useMarkOwnNotices, useOwnNotices } from '../../lib/server/useOwnNotices.ts';
import { DateTime } from '../../ui/mark/DateTime.tsx';
import { ErrorState } from '../../ui/page/PageStates.tsx';
import classes from './SessionList.module.css';

const texts = commonTexts.ownNotices;

/** Changes to the own login in 30 days, by whomever. */
export function OwnNotices() {
  const { data, error, refetch } = useOwnNotices();
  const { mutate, isPending } = useMarkOwnNotices();
  if (!data) {
    return error ? (
      <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={64} radius="md" />
    );
  }
  const [newest] = data.data;
  if (!newest) return <Text c="dimmed">{texts.none}</Text>;
  return (
    <>
      <Text c="dimmed" size="sm" mb="xs">
        {texts.meaning}
      </Text>
      <ul className={classes.list}>
        {data.data.map(({ _id: id, kind, by, ipAddress, createdAt, isRead }) => (
          <li key={id}>
            <div>
              <div className={classes.device}>
                {texts.kinds[kind]}
                {!isRead && (
                  <Badge variant="light" size="sm">
                    {texts.unread}
                  </Badge>
                )}
              </div>
              <div className={classes.facts}>
                <span>{texts.by(by, ipAddress)}</span>
                <DateTime value={createdAt} relative />
              </div>
            </div>
          </li>
        ))}
      </ul>
      {!newest.isRead && (
        <Button
          className={classes.others}
          variant="default"
          loading={isPending}
          onClick={() => mutate(newest.createdAt)}
        >
          {texts.markRead}
        </Button>
      )}
    </>
  );
}
