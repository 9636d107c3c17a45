import { ApiError } from '@drawhouse/session/api-client';
import { signByPasskey } from '@drawhouse/session/passkeys';
import { useEffect, useEffectEvent, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '../Button.tsx';
import { Notice } from '../Notice.tsx';
import { Skeleton } from '../Page.tsx';
import { Field } from './Fields.tsx';
import styles from './Fields.module.css';
import { factorTexts as texts } from './factorTexts.ts';

interface Offer {
  readonly kinds: readonly string[];
  readonly passkey?: Readonly<Record<string, unknown>> | undefined;
}

interface FactorFormProps<O extends Offer> {
  label: string;
  submit: ReactNode;
  isDone?: boolean;
  ask: () => Promise<O>;
  finish: (proof: { code: string } | { passkey: string }, offer: O | undefined) => Promise<void>;
  failureText: (failure: unknown) => string;
  children?: ReactNode;
}

export function FactorForm<O extends Offer>(props: FactorFormProps<O>) {
  const { label, submit, isDone = false, ask, finish, failureText, children } = props;
  const [offer, setOffer] = useState<O | 'none'>();
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [passkeyError, setPasskeyError] = useState<string>();
  const [sends, setSends] = useState<'code' | 'passkey'>();
  const form = useRef<HTMLFormElement>(null);
  const read = useEffectEvent(() => ask().then(setOffer, () => setOffer((before) => before ?? 'none')));
  useEffect(() => void read(), []);
  const isOffered = offer !== undefined;
  useEffect(() => {
    if (isOffered) form.current?.querySelector<HTMLElement>('button, input')?.focus();
  }, [isOffered]);
  const known = offer === 'none' ? undefined : offer;
  const options = known?.passkey;
  const hasApp = known?.kinds.includes('app') ?? true;
  const send = async (kind: 'code' | 'passkey', prove: () => Promise<Parameters<typeof finish>[0]>) => {
    if (sends || isDone) return;
    setSends(kind);
    setError(undefined);
    setPasskeyError(undefined);
    try {
      await finish(await prove(), known);
    } catch (failure) {
      if (kind === 'code') setError(failureText(failure));
      else {
        setPasskeyError(failure instanceof ApiError ? failureText(failure) : texts.passkeyFailed);
        // The challenge may have ended.
        void read();
      }
    }
    setSends(undefined);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() === '') setError(texts.missing);
    else void send('code', async () => ({ code }));
  };
  const onPasskey = () => void send('passkey', async () => ({ passkey: await signByPasskey(options!) }));
  if (!isOffered) return <Skeleton heights={[72, 48]} />;
  return (
    <form ref={form} className={styles.form} aria-label={label} noValidate onSubmit={onSubmit}>
      {passkeyError !== undefined && <Notice tone="bad" isSaid title={passkeyError} />}
      {options && (
        <Button kind="main" isWide isBusy={sends === 'passkey' || isDone} onClick={onPasskey}>
          {texts.byPasskey}
        </Button>
      )}
      <Field
        label={hasApp ? texts.code : texts.recoveryCode}
        hint={hasApp ? texts.help : undefined}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        value={code}
        error={error}
        onChange={(event) => {
          setCode(event.target.value);
          setError(undefined);
        }}
      />
      <Button kind={options ? 'plain' : 'main'} type="submit" isWide isBusy={sends === 'code' || isDone}>
        {submit}
      </Button>
      {children}
    </form>
  );
}
