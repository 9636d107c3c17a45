import type { ShownProtection, ProtectionEntry } from '@drawhouse/contract/players/protection';
import { useState } from 'react';
import { richText } from '@drawhouse/session/rich-text';
import { PROTECTION_LIMITS } from '@drawhouse/contract/players/player-limits';
import { netOf } from '../../lib/betting/lobbyNews.ts';
import { useCurrentProtection } from '../../lib/betting/useProtection.ts';
import { usePlaySettings } from '../../lib/playSettings.ts';
import { Button } from '../../ui/Button.tsx';
import { Money } from '../../ui/Figures.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Page, PageHeading, ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { SettingsSheet } from '../../ui/sheets/SettingsSheet.tsx';
import page from '../../ui/Page.module.css';
import { sharedText } from '../../lib/inLanguage.ts';
import { dateText } from '../../lib/amounts.ts';
import { call } from '../../lib/server/playerApi.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { useQuery } from '../../lib/server/useQuery.ts';
import { LimitRow } from './LimitRow.tsx';
import { limitText, limitTexts } from './limitTexts.ts';
import { ExcludeMe, TakeBreak } from './Pauses.tsx';
import styles from './MyLimitsPage.module.css';
import { PROTECTION_HISTORY } from './useLimitChange.ts';

export function MyLimitsPage() {
  const { data, error, reload } = useCurrentProtection();
  return (
    <Page>
      <PageHeading title={limitTexts.title} />
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && (
        <Skeleton heights={[64, 120, 120, 120]} label={limitTexts.loading} />
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
        <Notice tone="warn" title={limitTexts.onBreak(breakUntil)}>
          {limitTexts.onBreakHelp}
        </Notice>
      )}
      <p className={page.box}>
        {richText(today.open > 0 ? limitTexts.todayWithOpen : limitTexts.today, {
          net: <Money points={netOf(today)} isChange />,
          staked: <Money points={today.staked} />,
          won: <Money points={today.won} />,
          open: <Money points={today.open} />,
        })}
      </p>
      <section className={page.part} aria-labelledby="limits">
        <h2 id="limits">{limitTexts.limits}</h2>
        <p className={styles.more}>{limitTexts.limitsHelp(timeZone.replaceAll('_', ' '))}</p>
        <div className={styles.groups}>
          {(['stake', 'loss', 'minutes'] as const).map((measure) => (
            <ul key={measure} className={styles.limits}>
              {limits
                .filter(({ limit }) => limit.startsWith(measure))
                .map((shown) => (
                  <LimitRow key={shown.limit} shown={shown} isFixed={isFixed} />
                ))}
            </ul>
          ))}
        </div>
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
    <section className={page.part} aria-labelledby="device">
      <h2 id="device">{limitTexts.device.title}</h2>
      <p>
        {richText(askAbove === null ? limitTexts.device.neverAsks : limitTexts.device.asksAbove, {
          interval: <strong>{limitTexts.device.minutes(remindMinutes)}</strong>,
          amount: <strong>{limitText('stakePerDraw', askAbove)}</strong>,
        })}
      </p>
      <div>
        <Button onClick={() => setOpen(true)}>{limitTexts.device.change}</Button>
      </div>
      {isOpen && <SettingsSheet settings={settings} onSave={setSettings} onClose={() => setOpen(false)} />}
    </section>
  );
}

function LimitHistory() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.history} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{limitTexts.history.title}</summary>
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
  if (!data) return <Skeleton heights={[48, 48]} label={limitTexts.history.loading} />;
  if (data.length === 0) return <p className={styles.note}>{limitTexts.history.none}</p>;
  return (
    <ol className={styles.entries}>
      {data.map((entry) => (
        <li key={`${entry.at}/${entry.what}/${entry.step}`}>
          {entryText(entry)}
          <span className={styles.note}>
            {dateText(entry.at)}
            {entry.side === 'manager' && ` · ${limitTexts.history.byManager}`}
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
  if (what === 'break') return limitTexts.history.break(sharedText(String(length)));
  if (what === 'exclusion')
    return step === 'withdrawn'
      ? limitTexts.history.exclusionEnded(sharedText(String(length)))
      : limitTexts.history.exclusion(sharedText(String(length)));
  const name = sharedText(PROTECTION_LIMITS[what]);
  const [from, to] = [limitText(what, before).toLowerCase(), limitText(what, after).toLowerCase()];
  switch (step) {
    case 'set':
      return limitTexts.history.set(name, to, from);
    case 'asked':
      return limitTexts.history.asked(name, to);
    case 'confirmed':
      return limitTexts.history.confirmed(name, to, from);
    case 'withdrawn':
      return limitTexts.history.withdrawn(name, to);
  }
}
