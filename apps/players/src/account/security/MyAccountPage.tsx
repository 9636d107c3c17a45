import { failureText } from '../../lib/server/playerApi.ts';
import { useSession } from '../../lib/session/playerSession.ts';
import { richText } from '@drawhouse/session/rich-text';
import { playerTexts } from '../../lib/playerTexts.ts';
import { showToast } from '../../lib/toast.ts';
import { signOut } from '../../lib/session/sessionCalls.ts';
import { Button } from '../../ui/Button.tsx';
import { Page, PageHeading } from '../../ui/Page.tsx';
import { LanguageChoice } from '../../ui/sheets/LanguageChoice.tsx';
import { ThemeChoice } from '../../ui/sheets/ThemeChoice.tsx';
import { OwnSessions } from './OwnSessions.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import { securityTexts as texts } from './securityTexts.ts';
import styles from './MyAccountPage.module.css';

export function MyAccountPage() {
  const user = useSession()?.user;
  const leave = async () => {
    const failure = await signOut();
    if (failure !== undefined) showToast(failureText(failure, playerTexts.logoutFailed));
  };
  return (
    <Page>
      <PageHeading title={texts.title} />
      {user && (
        <p>
          {richText(texts.signedInAs, {
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
            <h2 id="look">{texts.appearance}</h2>
            <ThemeChoice />
            <LanguageChoice />
          </section>
          <Button onClick={() => void leave()}>{playerTexts.logout}</Button>
        </div>
      </div>
    </Page>
  );
}
