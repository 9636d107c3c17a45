import { useState } from 'react';
import { dateText } from '../../lib/amounts.ts';
import { call } from '../../lib/server/playerApi.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { useQuery } from '../../lib/server/useQuery.ts';
import { ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { PROTECTION_HISTORY } from './useLimitChange.ts';
import styles from './MyLimitsPage.module.css';
import type { ProtectionEntry } from '@drawhouse/contract/players/protection';
import { PROTECTION_LIMITS } from '@drawhouse/contract/players/protection-names';
import { limitText } from './limitValue.ts';

export function LimitHistory() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.history} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Change history</summary>
      {isOpen && <Entries />}
    </details>
  );
}

function Entries() {
  const { data, error, reload } = useQuery(PROTECTION_HISTORY, async (signal) => {
    const answer = await call(accountRoutes.protectionHistory, { query: {} }, { signal, background: true });
    return answer.data;
  });
  if (error !== undefined && !data) return <ReadFailure error={error} onRetry={reload} />;
  if (!data) return <Skeleton heights={[48, 48]} label="Loading the history" />;
  if (data.length === 0) return <p className={styles.note}>No changes yet.</p>;
  return (
    <ol className={styles.entries}>
      {data.map((entry) => (
        <li key={`${entry.at}/${entry.what}/${entry.step}`}>
          {entryWords(entry)}
          <span className={styles.note}>
            {dateText(entry.at)}
            {entry.side === 'manager' && ' · by your account manager'}
            {entry.reason !== '' && ` · ${entry.reason}`}
          </span>
        </li>
      ))}
    </ol>
  );
}

function entryWords({
  what,
  step,
  before,
  after,
  length,
}: Pick<ProtectionEntry, 'what' | 'step' | 'before' | 'after' | 'length'>): string {
  if (what === 'break') return `Break of ${length}`;
  if (what === 'exclusion') return `Exclusion of ${length}${step === 'withdrawn' ? ' ended' : ''}`;
  const name = PROTECTION_LIMITS[what];
  const words = limitText(what, after).toLowerCase();
  switch (step) {
    case 'set':
      return `${name}: ${words}, before ${limitText(what, before).toLowerCase()}`;
    case 'asked':
      return `${name}: ${words} requested`;
    case 'confirmed':
      return `${name}: ${words} confirmed, was ${limitText(what, before).toLowerCase()}`;
    case 'withdrawn':
      return `${name}: ${words} withdrawn`;
  }
}
