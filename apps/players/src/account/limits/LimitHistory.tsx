import { useState } from 'react';
import { sharedText } from '../../lib/inLanguage.ts';
import { dateText } from '../../lib/amounts.ts';
import { call } from '../../lib/server/playerApi.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { useQuery } from '../../lib/server/useQuery.ts';
import { ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { PROTECTION_HISTORY } from './useLimitChange.ts';
import styles from './MyLimitsPage.module.css';
import type { ProtectionEntry } from '@drawhouse/contract/players/protection';
import { PROTECTION_LIMITS } from '@drawhouse/contract/players/protection-names';
import { limitText, limitTexts } from './limitTexts.ts';

const texts = limitTexts.history;

export function LimitHistory() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.history} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.title}</summary>
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
  if (!data) return <Skeleton heights={[48, 48]} label={texts.loading} />;
  if (data.length === 0) return <p className={styles.note}>{texts.none}</p>;
  return (
    <ol className={styles.entries}>
      {data.map((entry) => (
        <li key={`${entry.at}/${entry.what}/${entry.step}`}>
          {entryText(entry)}
          <span className={styles.note}>
            {dateText(entry.at)}
            {entry.side === 'manager' && ` · ${texts.byManager}`}
            {entry.reason !== '' && ` · ${entry.reason}`}
          </span>
        </li>
      ))}
    </ol>
  );
}

function entryText({
  what,
  step,
  before,
  after,
  length,
}: Pick<ProtectionEntry, 'what' | 'step' | 'before' | 'after' | 'length'>): string {
  if (what === 'break') return texts.break(sharedText(String(length)));
  if (what === 'exclusion')
    return step === 'withdrawn'
      ? texts.exclusionEnded(sharedText(String(length)))
      : texts.exclusion(sharedText(String(length)));
  const name = sharedText(PROTECTION_LIMITS[what]);
  const [from, to] = [limitText(what, before).toLowerCase(), limitText(what, after).toLowerCase()];
  switch (step) {
    case 'set':
      return texts.set(name, to, from);
    case 'asked':
      return texts.asked(name, to);
    case 'confirmed':
      return texts.confirmed(name, to, from);
    case 'withdrawn':
      return texts.withdrawn(name, to);
  }
}
