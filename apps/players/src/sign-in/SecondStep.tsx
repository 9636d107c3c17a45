import { useEffect, useRef, useState, type FormEvent } from 'react';
import { call, failureText } from '../lib/server/playerApi.ts';
import { routes } from '../lib/server/playerRoutes.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/fields/Fields.tsx';
import { Notice } from '../ui/Notice.tsx';
import styles from './PlayerSignInPage.module.css';
import { signInTexts as texts } from './signInTexts.ts';

const finish = (challenge: string, code: string) =>
  call(routes.finishSignIn, { body: { challenge, code } }, { fallback: texts.failed });

interface SecondStepProps {
  challenge: string;
  notice: string | null;
  isDone: boolean;
  onDone: (answer: Awaited<ReturnType<typeof finish>>) => void;
  onBack: () => void;
}

export function SecondStep({ challenge, notice, isDone, onDone, onBack }: SecondStepProps) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [isSending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const isBusy = isSending || isDone;
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (code.trim() === '') return setError(texts.codeMissing);
    setSending(true);
    try {
      onDone(await finish(challenge, code));
    } catch (failure) {
      setError(failureText(failure, texts.error));
    } finally {
      setSending(false);
    }
  };
  return (
    <form ref={form} className={styles.form} aria-label={texts.title} noValidate onSubmit={(event) => void send(event)}>
      {notice !== null && <Notice tone="warn" isSaid title={notice} />}
      <Field
        label={texts.code}
        hint={texts.codeHelp}
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
      <Button kind="main" type="submit" isWide isBusy={isBusy}>
        {isBusy ? texts.isSending : texts.login}
      </Button>
      <Button isWide onClick={onBack}>
        {texts.backToPassword}
      </Button>
      <output className={styles.done}>{isDone && texts.done}</output>
    </form>
  );
}
