import { rememberedUsername, rememberUsername } from '@drawhouse/session/session-storage';
import { useEffect, useRef, useState, type FormEvent, type MouseEvent } from 'react';
import { house } from '@drawhouse/session/house';
import { challengeIn, keepElevation } from '@drawhouse/session/api-client';
import { go, leaveTo, Link } from '../lib/navigation.ts';
import { returnPath, type PageProps } from '../lib/matchPath.ts';
import { call, failureText } from '../lib/server/playerApi.ts';
import { routes } from '../lib/server/playerRoutes.ts';
import { getSession, getSessionEnd, startSession, useSession } from '../lib/session/playerSession.ts';
import { playerTexts } from '../lib/playerTexts.ts';
import { noteWallet } from '../lib/betting/wallet.ts';
import { Button } from '../ui/Button.tsx';
import { FactorForm } from '../ui/fields/FactorForm.tsx';
import { Field } from '../ui/fields/Fields.tsx';
import { PasswordField } from '../ui/fields/PasswordField.tsx';
import { Checkbox } from '../ui/fields/Options.tsx';
import { Notice } from '../ui/Notice.tsx';
import { HouseFooter, HouseLogo } from '../ui/House.tsx';
import { Page, PageHeading, Skeleton } from '../ui/Page.tsx';
import { signInErrors, signInTexts as texts } from './signInTexts.ts';
import fields from '../ui/fields/Fields.module.css';
import styles from './PlayerSignInPage.module.css';

/** In milliseconds (docs/spec/accounts-and-credit.md §2). */
const LEAVE_AFTER_MS = 1000;

export function PlayerSignInPage({ search }: PageProps) {
  const back = returnPath(search.get('back'));
  const session = useSession();
  const role = session?.role;
  const [challenge, setChallenge] = useState<string>();
  useEffect(() => {
    if (role === undefined) return;
    // The back-office is a separate app on the same server.
    if (role === 'user') go(back, { replace: true });
    else leaveTo(`/${role}/dashboard`);
  }, [role, back]);
  if (role !== undefined)
    return (
      <Page isNarrow>
        <Skeleton heights={[48, 48, 48]} />
      </Page>
    );
  return (
    <Page isNarrow>
      <div className={styles.card}>
        <HouseLogo height={72} />
        <p className={styles.house}>{house.name}</p>
        <PageHeading title={texts.title} />
        <SignInForm challenge={challenge} onChallenge={setChallenge} />
      </div>
      <div role="presentation" className={styles.below} onMouseDown={keepFocusInField}>
        <p className={styles.ways}>
          {challenge === undefined && <Link href="/help">{texts.forgot}</Link>}
          <Link href="/welcome">{texts.seeGames}</Link>
        </p>
        <HouseFooter />
      </div>
    </Page>
  );
}

/** Without this, the field's error would move the pressed link, and the click would miss. */
function keepFocusInField(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('a')) event.preventDefault();
}

type Step = 'typing' | 'sending' | 'done';

const FALLBACK = { fallback: texts.failed };

const signIn = (username: string, password: string) =>
  call(routes.login, { body: { username, password, elevation: true } }, FALLBACK);

type SignedIn = Awaited<ReturnType<typeof signIn>>;

function begin({ token, elevation, expiresAt, user }: SignedIn): void {
  keepElevation(token, elevation, Date.now());
  startSession(token, expiresAt, user);
  noteWallet({ walletBalance: user.walletBalance });
}

interface SignInFormProps {
  /** Present while the second factor is missing. */
  challenge: string | undefined;
  onChallenge: (challenge: string | undefined) => void;
}

function SignInForm({ challenge, onChallenge }: SignInFormProps) {
  const [username, setUsername] = useState(rememberedUsername);
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(username !== '');
  const [errors, setErrors] = useState<{ username?: string; password?: string }>({});
  const [refusal, setRefusal] = useState<string | null>(null);
  const [step, setStep] = useState<Step>('typing');
  const { notice, enter } = useEntry(remember ? username.trim() : '', (next) => {
    setStep(next);
    if (next === 'done') return;
    onChallenge(undefined);
    setRefusal(texts.error);
  });
  const form = useRef<HTMLFormElement>(null);
  // Validating on blur would move the button during a press.
  const isPressing = useRef(false);
  useFirstField(form, username === '' ? 'username' : 'password');
  const check = (name: 'username' | 'password') => {
    if (!isPressing.current) setErrors({ ...errors, [name]: signInErrors({ username, password })[name] });
  };
  const send = async (event: FormEvent) => {
    event.preventDefault();
    isPressing.current = false;
    if (step !== 'typing') return;
    const wrong = signInErrors({ username, password });
    setErrors(wrong);
    const first = Object.keys(wrong)[0];
    if (first !== undefined) return form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    setRefusal(null);
    setStep('sending');
    try {
      enter(await signIn(username.trim(), password));
    } catch (error) {
      setStep('typing');
      const found = challengeIn(error);
      onChallenge(found);
      if (found === undefined) setRefusal(failureText(error, texts.error));
    }
  };
  if (challenge !== undefined)
    return (
      <SecondStep
        challenge={challenge}
        notice={notice}
        isDone={step === 'done'}
        onDone={enter}
        onBack={() => onChallenge(undefined)}
      />
    );
  return (
    <form ref={form} className={fields.form} aria-label={texts.title} noValidate onSubmit={(event) => void send(event)}>
      <SignInNotices refusal={refusal} notice={notice} isTyping={step === 'typing'} />
      <Field
        label={texts.username}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={username}
        error={errors.username}
        onChange={(event) => setUsername(event.target.value)}
        onBlur={() => check('username')}
      />
      <PasswordField
        label={texts.password}
        name="password"
        autoComplete="current-password"
        value={password}
        error={errors.password}
        onChange={(event) => setPassword(event.target.value)}
        onBlur={() => check('password')}
      />
      <Checkbox label={texts.remember} checked={remember} onChange={(event) => setRemember(event.target.checked)} />
      <LoginButton isBusy={step !== 'typing'} onPressing={(isDown) => (isPressing.current = isDown)} />
      <output className={styles.done}>{step === 'done' && texts.done}</output>
    </form>
  );
}

interface SecondStepProps {
  challenge: string;
  notice: string | null;
  isDone: boolean;
  onDone: (answer: SignedIn) => void;
  onBack: () => void;
}

function SecondStep({ challenge, notice, isDone, onDone, onBack }: SecondStepProps) {
  return (
    <div className={fields.form}>
      {notice !== null && <Notice tone="warn" isSaid title={notice} />}
      <FactorForm
        label={texts.title}
        submit={isDone ? texts.isSending : texts.login}
        isDone={isDone}
        ask={() => call(routes.signInFactors, { body: { challenge } })}
        finish={async (proof) => onDone(await call(routes.finishSignIn, { body: { challenge, ...proof } }, FALLBACK))}
        failureText={(failure) => failureText(failure, texts.error)}
      />
      <Button isWide onClick={onBack}>
        {texts.backToPassword}
      </Button>
      <output className={styles.done}>{isDone && texts.done}</output>
    </div>
  );
}

function LoginButton({ isBusy, onPressing }: { isBusy: boolean; onPressing: (isDown: boolean) => void }) {
  return (
    <Button
      kind="main"
      type="submit"
      isWide
      isBusy={isBusy}
      onPointerDown={() => onPressing(true)}
      onFocus={() => onPressing(false)}
    >
      {isBusy ? texts.isSending : texts.login}
    </Button>
  );
}

/** Waits, so that the message can be read. */
function useEntry(nameToRemember: string, onStep: (step: 'done' | 'typing') => void) {
  const [notice, setNotice] = useState<string | null>(null);
  const enter = (answer: SignedIn) => {
    rememberUsername(nameToRemember);
    setNotice(answer.notice ?? null);
    onStep('done');
    setTimeout(() => {
      begin(answer);
      if (!getSession()) onStep('typing');
    }, LEAVE_AFTER_MS);
  };
  return { notice, enter };
}

function SignInNotices(props: { refusal: string | null; notice: string | null; isTyping: boolean }) {
  const { refusal, notice, isTyping } = props;
  return (
    <>
      <EndNotice isShown={refusal === null && isTyping} />
      {refusal !== null && <Notice tone="bad" isSaid title={refusal} />}
      {notice !== null && <Notice tone="warn" isSaid title={notice} />}
    </>
  );
}

/** Hidden after a sign-out by the player. */
function EndNotice({ isShown }: { isShown: boolean }) {
  const end = getSessionEnd();
  if (!isShown || (end !== 'ended' && end !== 'replaced')) return null;
  return <Notice tone="warn" title={end === 'replaced' ? playerTexts.sessionReplaced : playerTexts.sessionEnded} />;
}

/** Unless a keyboard would cover the page. */
function useFirstField(form: React.RefObject<HTMLFormElement | null>, name: string): void {
  const first = useRef(name);
  useEffect(() => {
    if (!matchMedia('(pointer: fine)').matches) return;
    form.current?.querySelector<HTMLInputElement>(`[name="${first.current}"]`)?.focus();
  }, [form]);
}
