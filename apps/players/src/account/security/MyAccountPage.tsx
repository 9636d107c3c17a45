import { richText } from '@drawhouse/session/rich-text';
import { useEffect, useState, type FormEvent } from 'react';
import { ApiError, isUnconfirmed } from '@drawhouse/session/api-client';
import { deviceName } from '@drawhouse/contract/auth/device-name';
import type { OwnDevice } from '@drawhouse/contract/auth/auth';
import { failureText, call } from '../../lib/server/playerApi.ts';
import { useSession } from '../../lib/session/playerSession.ts';
import { playerTexts } from '../../lib/playerTexts.ts';
import { showToast } from '../../lib/toast.ts';
import { signOut } from '../../lib/session/sessionCalls.ts';
import { Button } from '../../ui/Button.tsx';
import { Page, PageHeading, ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { LanguageChoice, ThemeChoice } from '../../ui/sheets/DeviceChoices.tsx';
import { serverTexts, sharedText } from '../../lib/inLanguage.ts';
import { accountRoutes } from '../accountRoutes.ts';
import { refetch, useQuery } from '../../lib/server/useQuery.ts';
import { PasswordField } from '../../ui/fields/PasswordField.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { securityTexts } from './securityTexts.ts';
import styles from './MyAccountPage.module.css';

export function MyAccountPage() {
  const user = useSession()?.user;
  const leave = async () => {
    const failure = await signOut();
    if (failure !== undefined) showToast(failureText(failure, playerTexts.logoutFailed));
  };
  return (
    <Page>
      <PageHeading title={securityTexts.title} />
      {user && (
        <p>
          {richText(securityTexts.signedInAs, {
            username: <strong>{user.username}</strong>,
            id: <strong>{user.uniqueId}</strong>,
          })}
        </p>
      )}
      <div className={styles.parts}>
        <PasswordForm />
        <div className={styles.form}>
          <SecondFactor />
          <OwnSessions />
          <section className={styles.form} aria-labelledby="look">
            <h2 id="look">{securityTexts.appearance}</h2>
            <ThemeChoice />
            <LanguageChoice />
          </section>
          <Button onClick={() => void leave()}>{playerTexts.logout}</Button>
        </div>
      </div>
    </Page>
  );
}

const FIELDS = [
  ['opass', securityTexts.password.old, 'current-password'],
  ['npass', securityTexts.password.new, 'new-password'],
  ['cpass', securityTexts.password.confirm, 'new-password'],
] as const;
/** docs/spec/accounts-and-credit.md §9. */
const MESSAGE_MS = 2000;
const EMPTY = { opass: '', npass: '', cpass: '' };

function PasswordForm() {
  const userId = useSession()?.user?._id;
  const [values, setValues] = useState(EMPTY);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [said, setSaid] = useState<{ tone: 'good' | 'bad'; text: string } | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (said?.tone !== 'good') return;
    const timer = setTimeout(() => setSaid(null), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || userId === undefined) return;
    const form = event.currentTarget;
    setBusy(true);
    setSaid(null);
    try {
      const { message } = await call(accountRoutes.changePassword, { body: { userId, ...values } });
      setValues(EMPTY);
      setErrors({});
      setSaid({ tone: 'good', text: serverTexts.done(message) });
      refetch(OWN_SESSIONS);
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {};
      setErrors(fields);
      const first = FIELDS.find(([name]) => name in fields)?.[0];
      if (first === undefined) setSaid({ tone: 'bad', text: failureText(error) });
      else form.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    }
    setBusy(false);
  };
  return (
    <form className={styles.form} aria-labelledby="password" noValidate onSubmit={(event) => void send(event)}>
      <h2 id="password">{securityTexts.password.title}</h2>
      <p className={styles.more}>{securityTexts.password.help}</p>
      {FIELDS.map(([name, label, autoComplete]) => (
        <PasswordField
          key={name}
          label={label}
          name={name}
          autoComplete={autoComplete}
          value={values[name]}
          error={errors[name]}
          onChange={(event) => {
            setValues({ ...values, [name]: event.target.value });
            if (errors[name] !== undefined) setErrors({ ...errors, [name]: undefined } as typeof errors);
          }}
        />
      ))}
      {said && <Notice tone={said.tone} isSaid title={said.text} />}
      <Button kind="main" type="submit" isBusy={isBusy}>
        {securityTexts.password.change}
      </Button>
    </form>
  );
}

const texts = securityTexts.sessions;

const OWN_SESSIONS = 'sessions';

function OwnSessions() {
  const { data, error, reload } = useQuery(OWN_SESSIONS, async (signal) => {
    return (await call(accountRoutes.sessions, {}, { signal, background: true })).data;
  });
  return (
    <section className={styles.form} aria-labelledby="sessions">
      <h2 id="sessions">{texts.title}</h2>
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton heights={[72, 72]} label={texts.loading} />}
      {data && (
        <ul className={styles.sessions}>
          {data.map((device) => (
            <DeviceRow key={device._id} device={device} />
          ))}
        </ul>
      )}
      {data && data.length > 1 && <EndOthers />}
    </section>
  );
}

function EndOthers() {
  const { isBusy, end } = useEnding(async () =>
    serverTexts.done((await call(accountRoutes.endOtherSessions, {})).message),
  );
  return (
    <Button isBusy={isBusy} onClick={() => void end()}>
      {texts.endOthers}
    </Button>
  );
}

function useEnding(act: () => Promise<string>) {
  const [isBusy, setBusy] = useState(false);
  const end = async () => {
    setBusy(true);
    try {
      showToast(await act());
    } catch (error) {
      if (!isUnconfirmed(error)) showToast(failureText(error));
    }
    setBusy(false);
    refetch(OWN_SESSIONS);
  };
  return { isBusy, end };
}

function DeviceRow({ device: { _id, userAgent, ipAddress, createdAt, lastUsedAt, current } }: { device: OwnDevice }) {
  const name = sharedText(deviceName(userAgent));
  const { isBusy, end } = useEnding(async () => {
    await call(accountRoutes.endSession, { params: { sessionId: _id } });
    return texts.signedOut(name);
  });
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <p className={styles.used} data-here={current || undefined}>
          {current ? texts.here : texts.lastUsed(lastUsedAt)}
        </p>
        <p className={styles.more}>{texts.since(createdAt, ipAddress)}</p>
      </div>
      {!current && (
        <Button
          isBusy={isBusy}
          aria-label={`${texts.signOutNamed(name)}. ${texts.lastUsed(lastUsedAt)}`}
          onClick={() => void end()}
        >
          {texts.signOut}
        </Button>
      )}
    </li>
  );
}
