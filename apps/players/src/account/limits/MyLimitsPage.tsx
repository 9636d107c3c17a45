import type { ShownProtection } from '@drawhouse/contract/players/protection';
import { useState } from 'react';
import { netOf } from '../../lib/betting/lobbyNews.ts';
import { useCurrentProtection } from '../../lib/betting/useProtection.ts';
import { usePlaySettings } from '../../lib/playSettings.ts';
import { richText } from '@drawhouse/session/rich-text';
import { Button } from '../../ui/Button.tsx';
import { Money } from '../../ui/Figures.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Page, PageHeading, ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { SettingsSheet } from '../../ui/sheets/SettingsSheet.tsx';
import { LimitHistory } from './LimitHistory.tsx';
import { LimitRow } from './LimitRow.tsx';
import { limitText, limitTexts as texts } from './limitTexts.ts';
import { ExcludeMe, TakeBreak } from './Pauses.tsx';
import page from '../../ui/Page.module.css';
import styles from './MyLimitsPage.module.css';

export function MyLimitsPage() {
  const { data, error, reload } = useCurrentProtection();
  return (
    <Page>
      <PageHeading title={texts.title} />
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton heights={[64, 120, 120, 120]} label={texts.loading} />}
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
        <Notice tone="warn" title={texts.onBreak(breakUntil)}>
          {texts.onBreakHelp}
        </Notice>
      )}
      <p className={page.box}>
        {richText(today.open > 0 ? texts.todayWithOpen : texts.today, {
          net: <Money points={netOf(today)} isChange />,
          staked: <Money points={today.staked} />,
          won: <Money points={today.won} />,
          open: <Money points={today.open} />,
        })}
      </p>
      <section className={page.part} aria-labelledby="limits">
        <h2 id="limits">{texts.limits}</h2>
        <p className={styles.more}>{texts.limitsHelp(timeZone.replaceAll('_', ' '))}</p>
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
      <h2 id="device">{texts.device.title}</h2>
      <p>
        {richText(askAbove === null ? texts.device.neverAsks : texts.device.asksAbove, {
          interval: <strong>{texts.device.minutes(remindMinutes)}</strong>,
          amount: <strong>{limitText('stakePerDraw', askAbove)}</strong>,
        })}
      </p>
      <div>
        <Button onClick={() => setOpen(true)}>{texts.device.change}</Button>
      </div>
      {isOpen && <SettingsSheet settings={settings} onSave={setSettings} onClose={() => setOpen(false)} />}
    </section>
  );
}
