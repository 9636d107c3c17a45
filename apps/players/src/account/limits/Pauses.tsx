import { BREAKS, EXCLUSIONS } from '@drawhouse/contract/players/player-limits';
import { useState } from 'react';
import { sharedText } from '../../lib/inLanguage.ts';
import { call, failureText } from '../../lib/server/playerApi.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { endSession } from '../../lib/session/playerSession.ts';
import { showToast } from '../../lib/toast.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox, OneOf } from '../../ui/fields/Options.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Sheet } from '../../ui/sheets/Sheet.tsx';
import { useLimitChange } from './useLimitChange.ts';
import { limitTexts as texts } from './limitTexts.ts';
import styles from './MyLimitsPage.module.css';

type Break = (typeof BREAKS)[number];
type Exclusion = (typeof EXCLUSIONS)[number];

const asOptions = <Length extends string>(lengths: readonly Length[]): readonly (readonly [Length, string])[] =>
  lengths.map((length) => [length, sharedText(length)]);

export function TakeBreak() {
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

export function ExcludeMe() {
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
