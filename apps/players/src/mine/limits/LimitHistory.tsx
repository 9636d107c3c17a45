import { useState } from 'react';
import { dateText } from '../../lib/amounts.ts';
import { call } from '../../lib/playerApi.ts';
import { mineRoutes } from '../mineRoutes.ts';
import { useRead } from '../../lib/useRead.ts';
import { ReadFailure, Skeleton } from '../../ui/Waiting.tsx';
import { entryWords } from './entryWords.ts';
import { PROTECTION_HISTORY } from './useChange.ts';
import styles from './LimitHistory.module.css';

/** The last changes of the own limits, breaks and exclusions, read once it is opened. */
export function LimitHistory() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.history} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What was changed, and when</summary>
      {isOpen && <Entries />}
    </details>
  );
}

function Entries() {
  const { data, error, again } = useRead(PROTECTION_HISTORY, async (signal) => {
    const answer = await call(mineRoutes.protectionHistory, { query: {} }, { signal, background: true });
    return answer.data;
  });
  if (error !== undefined && !data) return <ReadFailure error={error} onRetry={again} />;
  if (!data) return <Skeleton heights={[48, 48]} label="Loading the history" />;
  if (data.length === 0) return <p className={styles.more}>Nothing was changed yet.</p>;
  return (
    <ol className={styles.entries}>
      {data.map((entry) => (
        <li key={`${entry.at}/${entry.what}/${entry.step}`}>
          {entryWords(entry)}
          <span className={styles.more}>
            {dateText(entry.at)}
            {entry.side === 'manager' && ' · by those who manage your account'}
            {entry.reason !== '' && ` · ${entry.reason}`}
          </span>
        </li>
      ))}
    </ol>
  );
}
