import type { ShownProtection } from '@drawhouse/contract/players/protection';
import { useState } from 'react';
import { dateText, spanWords } from '../../lib/amounts.ts';
import { netOf } from '../../lib/betting/lobbyNews.ts';
import { useKeptProtection } from '../../lib/betting/useProtection.ts';
import { usePlaySettings } from '../../lib/playSettings.ts';
import { Button } from '../../ui/Button.tsx';
import { Money } from '../../ui/Figures.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Page, PageHeading, ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { SettingsSheet } from '../../ui/sheets/SettingsSheet.tsx';
import { LimitHistory } from './LimitHistory.tsx';
import { LimitRow } from './LimitRow.tsx';
import { limitText } from './limitValue.ts';
import { ExcludeMe, TakeBreak } from './Pauses.tsx';
import styles from './MyLimitsPage.module.css';

const MINUTE_MS = 60_000;

export function MyLimitsPage() {
  const { data, error, reload } = useKeptProtection();
  return (
    <Page>
      <PageHeading title="Limits and breaks" />
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && (
        <Skeleton heights={[64, 120, 120, 120]} label="Loading your limits" />
      )}
      {data && <Protection protection={data} />}
    </Page>
  );
}

function Protection({ protection }: { protection: ShownProtection }) {
  const { limits, breakUntil, today, timeZone } = protection;
  const isFixed = breakUntil !== null;
  return (
    <>
      {breakUntil !== null && (
        <Notice tone="warn" title={`You are on a break until ${dateText(breakUntil)}.`}>
          Until then you can’t bet or change limits. You can still see everything and claim your wins.
        </Notice>
      )}
      <p className={styles.today}>
        Today: <Money points={netOf(today)} isChange />, with <Money points={today.staked} /> staked and{' '}
        <Money points={today.won} /> won{today.open > 0 && ', and '}
        {today.open > 0 && (
          <>
            <Money points={today.open} /> open
          </>
        )}
        . Signed in for {spanWords(today.minutes * MINUTE_MS)}.
      </p>
      <section className={styles.part} aria-labelledby="limits">
        <h2 id="limits">Limits</h2>
        <p className={styles.more}>
          A stricter limit applies at once. A looser one waits 24 hours and must then be confirmed. Days are in{' '}
          {timeZone.replaceAll('_', ' ')}, and weeks begin on Sunday.
        </p>
        <ul className={styles.limits}>
          {limits.map((shown) => (
            <LimitRow key={shown.limit} shown={shown} isFixed={isFixed} />
          ))}
        </ul>
      </section>
      <OnThisDevice />
      <div className={styles.pauses}>
        {!isFixed && <TakeBreak />}
        <ExcludeMe />
      </div>
      <LimitHistory />
    </>
  );
}

function OnThisDevice() {
  const { settings, setSettings } = usePlaySettings();
  const [isOpen, setOpen] = useState(false);
  const { askAbove, remindMinutes } = settings;
  return (
    <section className={styles.part} aria-labelledby="device">
      <h2 id="device">On this device</h2>
      <p>
        You get a time reminder every <strong>{remindMinutes} minutes</strong>, and{' '}
        {askAbove === null ? (
          'no ticket needs a second confirmation.'
        ) : (
          <>
            a ticket above <strong>{limitText('stakePerDraw', askAbove)}</strong> needs a second confirmation.
          </>
        )}
      </p>
      <div>
        <Button onClick={() => setOpen(true)}>Change reminders</Button>
      </div>
      {isOpen && <SettingsSheet settings={settings} onSave={setSettings} onClose={() => setOpen(false)} />}
    </section>
  );
}
