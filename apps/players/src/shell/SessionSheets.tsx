import { useState, type ChangeEvent, type FormEvent } from 'react';
import { isUnconfirmed, keepElevation } from '@drawhouse/session/api-client';
import { spanText } from '../lib/amounts.ts';
import { call, failureText } from '../lib/server/playerApi.ts';
import { routes } from '../lib/server/playerRoutes.ts';
import { getSession, useSession } from '../lib/session/playerSession.ts';
import { refreshSession } from '../lib/session/sessionCalls.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/fields/Fields.tsx';
import { PasswordField } from '../ui/fields/PasswordField.tsx';
import { Sheet } from '../ui/sheets/Sheet.tsx';
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

export function PasswordSheet({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const [value, setValue] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const hasFactor = useSession()?.user?.secondFactor === true;
  const texts = hasFactor ? shellSheetTexts.factor : shellSheetTexts.password;
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (value === '') {
      setError(texts.missing);
      return;
    }
    setBusy(true);
    try {
      const body = hasFactor ? { code: value } : { password: value };
      const { elevation } = await call(routes.confirmPassword, { body });
      keepElevation(getSession()?.token ?? '', elevation, Date.now());
      onAnswer(true);
    } catch (failure) {
      setError(failureText(failure));
      setBusy(false);
      // If a factor was added elsewhere, the sheet then asks for its code.
      if (isUnconfirmed(failure)) await refreshSession().catch(() => undefined);
    }
  };
  const field = {
    label: texts.label,
    value,
    error,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      setValue(event.target.value);
      setError(undefined);
    },
  };
  return (
    <Sheet title={texts.title} onClose={() => onAnswer(false)}>
      <form onSubmit={(event) => void send(event)} style={{ display: 'grid', gap: 16 }} noValidate>
        <p>{texts.help}</p>
        {hasFactor ? (
          <Field {...field} autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} />
        ) : (
          <PasswordField {...field} autoComplete="current-password" />
        )}
        <Button kind="main" type="submit" isBusy={isBusy}>
          {texts.continue}
        </Button>
      </form>
    </Sheet>
  );
}
