import { PROTECTION_LIMITS, BREAKS, EXCLUSIONS } from '@drawhouse/contract/players/player-limits';
import type { ShownProtection, ProtectionEntry } from '@drawhouse/contract/players/protection';
import { richText } from '@drawhouse/session/rich-text';
import { useState } from 'react';
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
import { call, failureText } from '../../lib/server/playerApi.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { useQuery } from '../../lib/server/useQuery.ts';
import { LimitRow, PROTECTION_HISTORY, useLimitChange } from './LimitRow.tsx';
import { limitText, limitTexts, limitTexts as texts } from './limitTexts.ts';
import styles from './MyLimitsPage.module.css';
import { endSession } from '../../lib/session/playerSession.ts';
import { showToast } from '../../lib/toast.ts';
import { Checkbox, OneOf } from '../../ui/fields/Options.tsx';
import { Sheet } from '../../ui/sheets/Sheet.tsx';

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

type Break = (typeof BREAKS)[number];
type Exclusion = (typeof EXCLUSIONS)[number];

const asOptions = <Length extends string>(lengths: readonly Length[]): readonly (readonly [Length, string])[] =>
  lengths.map((length) => [length, sharedText(length)]);

function TakeBreak() {
  const [length, setLength] = useState<Break>('1 day');
  const [isAsking, setAsking] = useState(false);
  const { isBusy, failure, change } = useLimitChange();
  const take = async () => {
    if (await change(() => call(accountRoutes.takeBreak, { body: { length } }))) setAsking(false);
  };
  return (
    <section className={styles.pause} aria-labelledby="break">
      <h2 id="break">{texts.break.title}</h2>
      <p>{texts.break.help}</p>
      <OneOf legend={texts.length} isLegendUnseen value={length} options={asOptions(BREAKS)} onChoose={setLength} />
      <Button onClick={() => setAsking(true)}>{texts.break.ask(sharedText(length))}</Button>
      {isAsking && (
        <Sheet
          title={texts.break.confirm(sharedText(length))}
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button kind="main" isBusy={isBusy} onClick={() => void take()}>
                {texts.break.take}
              </Button>
              <Button onClick={() => setAsking(false)}>{texts.cancel}</Button>
            </>
          }
        >
          <p>{texts.break.terms(sharedText(length))}</p>
          {failure !== null && <Notice tone="bad" isSaid title={failure} />}
        </Sheet>
      )}
    </section>
  );
}

function ExcludeMe() {
  const [length, setLength] = useState<Exclusion>('6 months');
  const [isAsking, setAsking] = useState(false);
  return (
    <section className={styles.pause} aria-labelledby="exclusion">
      <h2 id="exclusion">{texts.exclusion.title}</h2>
      <p>{texts.exclusion.help}</p>
      <OneOf legend={texts.length} isLegendUnseen value={length} options={asOptions(EXCLUSIONS)} onChoose={setLength} />
      <Button kind="danger" onClick={() => setAsking(true)}>
        {texts.exclusion.ask(sharedText(length))}
      </Button>
      {isAsking && <ExcludeSheet length={length} onClose={() => setAsking(false)} />}
    </section>
  );
}

function ExcludeSheet({ length, onClose }: { length: Exclusion; onClose: () => void }) {
  const [isUnderstood, setUnderstood] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const exclude = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const { excludedUntil } = await call(accountRoutes.exclude, { body: { length } });
      showToast(texts.exclusion.done(excludedUntil));
      endSession('signed-out');
    } catch (error) {
      setFailure(failureText(error));
      setBusy(false);
    }
  };
  return (
    <Sheet
      title={texts.exclusion.confirm(sharedText(length))}
      onClose={onClose}
      actions={
        <>
          <Button
            kind="danger"
            isBusy={isBusy}
            aria-disabled={!isUnderstood || undefined}
            onClick={() => void exclude()}
          >
            {texts.exclusion.ask(sharedText(length))}
          </Button>
          <Button onClick={onClose}>{texts.cancel}</Button>
        </>
      }
    >
      <ul className={styles.terms}>
        {texts.exclusion.terms(sharedText(length)).map((term) => (
          <li key={term}>{term}</li>
        ))}
      </ul>
      <Checkbox
        label={texts.exclusion.understood(sharedText(length))}
        checked={isUnderstood}
        onChange={(event) => setUnderstood(event.target.checked)}
      />
      {failure !== null && <Notice tone="bad" isSaid title={failure} />}
    </Sheet>
  );
}
