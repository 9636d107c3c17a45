import { playerProtectionHistory, type ProtectionEntry } from '@drawhouse/contract/players/protection';
import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callQuery, errorMessage } from '../../lib/server/api.ts';
import { formatCount } from '../../lib/format/format.ts';
import { FailureText } from '../../lib/RequestId.tsx';
import { DateTime } from '../../ui/mark/DateTime.tsx';
import { entryText } from './limitForm.ts';
import classes from './PlayerProtection.module.css';
import { protectionTexts } from './protectionTexts.ts';
import { richText } from '@drawhouse/session/rich-text';

const ROWS = 5;

export function ProtectionHistory({ playerId }: { playerId: string }) {
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery({
    ...callQuery(['protection', playerId, 'history', page], playerProtectionHistory, {
      params: { playerId },
      query: { page: String(page), pageSize: String(ROWS) },
    }),
    placeholderData: keepPreviousData,
  });
  if (error && !data)
    return (
      <p role="alert">
        <FailureText message={errorMessage(error)} />{' '}
        <Button size="compact-xs" variant="default" onClick={() => void refetch()}>
          {protectionTexts.tryAgain}
        </Button>
      </p>
    );
  if (!data || data.total === 0) return null;
  const pages = Math.ceil(data.total / ROWS);
  return (
    <>
      <h3 id="protection-history">{protectionTexts.changes}</h3>
      <ChangesTable entries={data.data} />
      {pages > 1 && (
        <div className={classes.foot}>
          <Button size="compact-xs" variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {protectionTexts.newer}
          </Button>
          <Button size="compact-xs" variant="default" disabled={page >= pages} onClick={() => setPage(page + 1)}>
            {protectionTexts.older}
          </Button>
          <span className={classes.about}>{protectionTexts.changeCount(formatCount(data.total))}</span>
        </div>
      )}
    </>
  );
}

function ChangesTable({ entries }: { entries: readonly ProtectionEntry[] }) {
  return (
    <table className={classes.history} aria-labelledby="protection-history">
      <thead>
        <tr>
          <th scope="col" className={classes.wide}>
            {protectionTexts.requested}
          </th>
          <th scope="col">{protectionTexts.change}</th>
          <th scope="col" className={classes.wide}>
            {protectionTexts.inEffect}
          </th>
          <th scope="col" className={classes.wide}>
            {protectionTexts.by}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={`${entry.at} ${entry.what} ${entry.step}`}>
            <td className={classes.wide}>
              <DateTime value={entry.at} relative />
            </td>
            <td>
              {entryText(entry)}
              {entry.reason !== '' && <small>{entry.reason}</small>}
              <small className={classes.narrow}>
                {entry.by}, <DateTime value={entry.at} relative />; <Holds entry={entry} />
              </small>
            </td>
            <td className={classes.wide}>
              <Holds entry={entry} />
            </td>
            <td className={classes.wide}>{entry.by}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Holds({ entry: { until, step, from } }: { entry: ProtectionEntry }) {
  if (until !== null) return <>{richText(protectionTexts.until, { time: <DateTime value={until} /> })}</>;
  if (step === 'asked') return <>{richText(protectionTexts.onceConfirmedFrom, { time: <DateTime value={from} /> })}</>;
  return step === 'withdrawn' ? '–' : 'immediately';
}
