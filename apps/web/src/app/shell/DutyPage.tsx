import { Button, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { AuthPage, forgetTypedPassword, typedPassword } from '../../features/auth/AuthPage.tsx';
import { ChangePasswordForm } from '../../features/profile/ChangePasswordForm.tsx';
import { refreshSession, useSignOut } from '../../lib/session/sessionCalls.ts';
import { shellTexts } from './shellTexts.ts';
import classes from './DutyPage.module.css';

const texts = shellTexts.duty;

const refresh = () => refreshSession().catch(() => undefined);

/** In place of every page, until the person has an own password. The page of the address follows. */
export function DutyPage() {
  const signOut = useSignOut();
  // It may be done already, in another tab.
  useEffect(() => void refresh(), []);
  const onChanged = () => {
    forgetTypedPassword();
    return refresh();
  };
  return (
    <AuthPage title={texts.ownPassword}>
      <Title order={2} className={classes.title}>
        {texts.ownPassword}
      </Title>
      <Text className={classes.why}>{texts.whyOwnPassword}</Text>
      <ChangePasswordForm oldPassword={typedPassword()} onChanged={onChanged} />
      <Button variant="subtle" fullWidth mt="xs" onClick={() => void signOut()}>
        {texts.signOut}
      </Button>
    </AuthPage>
  );
}
