import { useState } from 'react';
import type { FormEvent } from 'react';
import { keepElevation } from '@drawhouse/session/api-client';
import { spanText } from '../lib/amounts.ts';
import { call, failureText } from '../lib/server/playerApi.ts';
import { routes } from '../lib/server/playerRoutes.ts';
import { getSession } from '../lib/session/playerSession.ts';
import { refreshSession } from '../lib/session/sessionCalls.ts';
import { Button } from '../ui/Button.tsx';
import { PasswordField } from '../ui/fields/PasswordField.tsx';
import { Sheet } from '../ui/sheets/Sheet.tsx';
import { shellSheetTexts } from './shellSheetTexts.ts';
import { richText } from '@drawhouse/session/rich-text';

const { expiry, password: texts } = shellSheetTexts;

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

export function PasswordSheet({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (password === '') {
      setError(texts.missing);
      return;
    }
    setBusy(true);
    try {
      const { elevation } = await call(routes.confirmPassword, { body: { password } });
      keepElevation(getSession()?.token ?? '', elevation, Date.now());
      onAnswer(true);
    } catch (failure) {
      setError(failureText(failure));
      setBusy(false);
    }
  };
  return (
    <Sheet title={texts.title} onClose={() => onAnswer(false)}>
      <form onSubmit={(event) => void send(event)} style={{ display: 'grid', gap: 16 }} noValidate>
        <p>{texts.help}</p>
        <PasswordField
          label={texts.label}
          autoComplete="current-password"
          value={password}
          error={error}
          onChange={(event) => {
            setPassword(event.target.value);
            setError(undefined);
          }}
        />
        <Button kind="main" type="submit" isBusy={isBusy}>
          {texts.continue}
        </Button>
      </form>
    </Sheet>
  );
}
