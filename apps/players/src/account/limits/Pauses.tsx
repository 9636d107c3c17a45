import { BREAKS, EXCLUSIONS } from '@drawhouse/contract/players/protection-names';
import { useState } from 'react';
import { dateText } from '../../lib/amounts.ts';
import { call, failureText } from '../../lib/server/playerApi.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { endSession } from '../../lib/session/playerSession.ts';
import { showToast } from '../../lib/toast.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox, OneOf } from '../../ui/Fields.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Sheet } from '../../ui/sheets/Sheet.tsx';
import { useChange } from './useLimitChange.ts';
import styles from './MyLimitsPage.module.css';

type Break = (typeof BREAKS)[number];
type Exclusion = (typeof EXCLUSIONS)[number];

const asOptions = <Length extends string>(lengths: readonly Length[]): readonly (readonly [Length, string])[] =>
  lengths.map((length) => [length, length]);

export function TakeBreak() {
  const [length, setLength] = useState<Break>('1 day');
  const [isAsking, setAsking] = useState(false);
  const { isBusy, failure, change } = useChange();
  const take = async () => {
    if (await change(() => call(accountRoutes.takeBreak, { body: { length } }))) setAsking(false);
  };
  return (
    <section className={styles.pause} aria-labelledby="break">
      <h2 id="break">Take a break</h2>
      <p>You can’t bet until it is over. You can still sign in, see everything and claim your wins.</p>
      <OneOf legend="How long" isLegendUnseen value={length} options={asOptions(BREAKS)} onChoose={setLength} />
      <Button onClick={() => setAsking(true)}>Take a break of {length}</Button>
      {isAsking && (
        <Sheet
          title={`Take a break of ${length}?`}
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button kind="main" isBusy={isBusy} onClick={() => void take()}>
                Take a break
              </Button>
              <Button onClick={() => setAsking(false)}>Cancel</Button>
            </>
          }
        >
          <p>
            It begins now and lasts {length}. Until then you can’t bet or change your limits, and nobody can end it
            early. Bets you have placed are safe, and their wins are kept for you.
          </p>
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
      <h2 id="exclusion">Exclude yourself</h2>
      <p>Your account is closed for a long time: nobody can sign in to it. Nobody can undo this.</p>
      <OneOf legend="How long" isLegendUnseen value={length} options={asOptions(EXCLUSIONS)} onChoose={setLength} />
      <Button kind="danger" onClick={() => setAsking(true)}>
        Exclude me for {length}
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
      showToast(`You are excluded until ${dateText(excludedUntil)}. Until then nobody can sign in to your account.`);
      endSession('signed-out');
    } catch (error) {
      setFailure(failureText(error));
      setBusy(false);
    }
  };
  return (
    <Sheet
      title={`Exclude yourself for ${length}?`}
      onClose={onClose}
      actions={
        <>
          <Button
            kind="danger"
            isBusy={isBusy}
            aria-disabled={!isUnderstood || undefined}
            onClick={() => void exclude()}
          >
            Exclude me for {length}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <ul className={styles.terms}>
        <li>You are signed out at once, everywhere.</li>
        <li>For {length} nobody can sign in to this account or place bets.</li>
        <li>
          Bets you have placed stay valid. Their wins and your credit stay yours: unclaimed wins are claimed for you.
        </li>
        <li>Nobody can end it early: not you, not your account manager, not the operator.</li>
      </ul>
      <Checkbox
        label={`I understand that nobody can end this for ${length}`}
        checked={isUnderstood}
        onChange={(event) => setUnderstood(event.target.checked)}
      />
      {failure !== null && <Notice tone="bad" isSaid title={failure} />}
    </Sheet>
  );
}
