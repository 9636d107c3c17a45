import { API_KEY_DAYS, apiKeyDays, type ApiKey } from '@drawhouse/contract/api-keys/api-keys';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callQuery, errorMessage } from '../../lib/server/api.ts';
import { formatCount, formatCalendarDay } from '../../lib/format/format.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { ErrorState } from '../../ui/page/PageStates.tsx';
import { Points } from '../../ui/mark/Points.tsx';
import classes from './ApiKeys.module.css';
import { apiKeyTexts } from './apiKeyTexts.ts';

interface KeyDaysDialogProps {
  target: ApiKey | null;
  onClose: () => void;
}

export function KeyDaysDialog({ target, onClose }: KeyDaysDialogProps) {
  const [shown, setShown] = useState(target);
  if (target && target !== shown) setShown(target);
  return (
    <Dialog opened={target !== null} onClose={onClose} title={shown ? apiKeyTexts.use(shown.name) : ''}>
      {shown && <Days apiKey={shown} />}
    </Dialog>
  );
}

function Days({ apiKey }: { apiKey: ApiKey }) {
  const { data, error, refetch } = useQuery(
    callQuery(['apiKeys', apiKey._id], apiKeyDays, { params: { keyId: apiKey._id } }),
  );
  if (!data)
    return error ? (
      <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={96} aria-label={apiKeyTexts.loadingDays} aria-busy />
    );
  if (data.data.length === 0) return <Text>{apiKeyTexts.noBetsWithThis(API_KEY_DAYS)}</Text>;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div className={classes.scroll} tabIndex={0}>
      <table className={classes.days}>
        <thead>
          <tr>
            <th scope="col">{apiKeyTexts.day}</th>
            <th scope="col" data-align="right">
              {apiKeyTexts.tickets}
            </th>
            <th scope="col" data-align="right">
              {apiKeyTexts.stakes}
            </th>
          </tr>
        </thead>
        <tbody>
          {data.data.map(({ day, tickets, stake }) => (
            <tr key={day}>
              <th scope="row">{formatCalendarDay(day)}</th>
              <td data-align="right">{formatCount(tickets)}</td>
              <td data-align="right">
                <Points value={stake} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{apiKeyTexts.sinceCreation}</th>
            <td data-align="right">{formatCount(apiKey.total.tickets)}</td>
            <td data-align="right">
              <Points value={apiKey.total.stake} />
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
