import { useState, type FormEvent } from 'react';
import { isUnconfirmed, keepElevation } from '@drawhouse/session/api-client';
import { spanText } from '@drawhouse/session/span-text';
import { call, failureText } from '../lib/server/playerApi.ts';
import { routes } from '../lib/server/playerRoutes.ts';
import { getSession, useSession } from '../lib/session/playerSession.ts';
import { refreshSession } from '../lib/session/sessionCalls.ts';
import { Button } from '../ui/Button.tsx';
import { FactorForm } from '../ui/fields/FactorForm.tsx';
import { PasswordField } from '../ui/fields/PasswordField.tsx';
import { Sheet } from '../ui/sheets/Sheet.tsx';
import styles from '../ui/fields/Fields.module.css';
import { shellSheetTexts } from './shellSheetTexts.ts';
import { richText } from '@drawhouse/session/rich-text';

const { expiry } = shellSheetTexts;

export function SessionExpirySheet({ leftMs }: { leftMs: number }) {
  const [isAsking, setAsking] = useState(false);
  const stay = async () => {
    setAsking(true);
    await refreshSession().catch(() => undefined);
    setAsking(false);
  };
  return (
    <Sheet
      title={expiry.title}
      isFirm
      onClose={() => undefined}
      actions={
        <Button kind="main" isBusy={isAsking} onClick={() => void stay()}>
          {expiry.stay}
        </Button>
      }
    >
      <p>{richText(expiry.help, { time: <strong role="timer">{spanText(leftMs)}</strong> })}</p>
    </Sheet>
  );
}

interface PasswordSheetProps {
  onAnswer: (isConfirmed: boolean) => void;
}

export function PasswordSheet({ onAnswer }: PasswordSheetProps) {
  const hasFactor = useSession()?.user?.secondFactor === true;
  const texts = hasFactor ? shellSheetTexts.factor : shellSheetTexts.password;
  return (
    <Sheet title={texts.title} onClose={() => onAnswer(false)}>
      <div className={styles.form}>
        <p>{texts.help}</p>
        {hasFactor ? (
          <FactorForm
            label={texts.title}
            submit={texts.continue}
            ask={() => call(routes.confirmFactors, {})}
            finish={async (proof, offer) => {
              await confirmSelf('code' in proof ? proof : { ...proof, challenge: offer!.challenge });
              onAnswer(true);
            }}
            failureText={failureText}
          />
        ) : (
          <PasswordForm onAnswer={onAnswer} />
        )}
      </div>
    </Sheet>
  );
}

type Proof = { password: string } | { code: string } | { passkey: string; challenge: string };

async function confirmSelf(body: Proof): Promise<void> {
  const { elevation } = await call(routes.confirmPassword, { body });
  keepElevation(getSession()?.token ?? '', elevation, Date.now());
}

function PasswordForm({ onAnswer }: PasswordSheetProps) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const texts = shellSheetTexts.password;
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (password === '') return setError(texts.missing);
    setBusy(true);
    try {
      await confirmSelf({ password });
      onAnswer(true);
    } catch (failure) {
      setError(failureText(failure));
      setBusy(false);
      // If a factor was added elsewhere, the sheet then asks for it.
      if (isUnconfirmed(failure)) await refreshSession().catch(() => undefined);
    }
  };
  return (
    <form className={styles.form} onSubmit={(event) => void send(event)} noValidate>
      <PasswordField
        label={texts.label}
        value={password}
        error={error}
        autoComplete="current-password"
        data-autofocus
        onChange={(event) => {
          setPassword(event.target.value);
          setError(undefined);
        }}
      />
      <Button kind="main" type="submit" isBusy={isBusy}>
        {texts.continue}
      </Button>
    </form>
  );
}
