import type { beginApp } from '@drawhouse/contract/auth/factors';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { useState, type FormEvent } from 'react';
import { call, failureText } from '../../lib/server/playerApi.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/fields/Fields.tsx';
import { Sheet } from '../../ui/sheets/Sheet.tsx';
import { accountRoutes } from '../accountRoutes.ts';
import { securityTexts } from './securityTexts.ts';
import styles from './MyAccountPage.module.css';

const texts = securityTexts.factor;

export type AppSetup = RouteAnswer<typeof beginApp>;

interface AppSheetProps {
  setup: AppSetup;
  /** The first app comes with recovery codes. */
  onAdded: (codes: readonly string[] | undefined) => void;
  onClose: () => void;
}

export function AppSheet({ setup: { setup, secret, qr }, onAdded, onClose }: AppSheetProps) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const digits = code.replaceAll(/\s/g, '');
    if (!/^\d{6}$/.test(digits)) return setError(texts.wrongCode);
    setBusy(true);
    try {
      onAdded((await call(accountRoutes.addApp, { body: { setup, name: texts.phone, code: digits } })).codes);
    } catch (failure) {
      setError(failureText(failure));
      setBusy(false);
    }
  };
  return (
    <Sheet title={texts.add} onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void send(event)} noValidate>
        <p>{texts.scan}</p>
        <img className={styles.qr} src={`data:image/svg+xml,${encodeURIComponent(qr)}`} alt={texts.qr} />
        <p className={styles.more}>
          {texts.byHand} <code className={styles.secret}>{secret}</code>
        </p>
        <Field
          label={texts.code}
          hint={texts.codeHelp}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          error={error}
          onChange={(event) => {
            setCode(event.target.value);
            setError(undefined);
          }}
        />
        <Button kind="main" type="submit" isBusy={isBusy}>
          {texts.add}
        </Button>
      </form>
    </Sheet>
  );
}

/** The codes are shown once, so only the button closes the sheet. */
export function CodesSheet({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(codes.join('\n')).then(() => setCopied(true));
  return (
    <Sheet
      title={texts.codes}
      isFirm
      onClose={onClose}
      actions={
        <>
          <Button onClick={() => void copy()}>{isCopied ? texts.copied : texts.copy}</Button>
          <Button kind="main" onClick={onClose}>
            {texts.stored}
          </Button>
        </>
      }
    >
      <p>{texts.codesHelp}</p>
      <ul className={styles.codes} aria-label={texts.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
