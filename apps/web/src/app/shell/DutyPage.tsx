import { Button, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { AuthPage, forgetTypedPassword, typedPassword } from '../../features/auth/AuthPage.tsx';
import { ChangePasswordForm } from '../../features/profile/ChangePasswordForm.tsx';
import { FactorList } from '../../features/profile/factors/FactorList.tsx';
import { useUser } from '../../lib/session/session.ts';
import { refreshSession, useSignOut } from '../../lib/session/sessionCalls.ts';
import { shellTexts } from './shellTexts.ts';
import classes from './DutyPage.module.css';

const texts = shellTexts.duty;

const refresh = () => refreshSession().catch(() => undefined);

/** Replaces every page until the person has chosen a password and added any required second factor. */
export function DutyPage() {
  const { mustChangePassword } = useUser();
  const signOut = useSignOut();
  // It may be done already, in another tab.
  useEffect(() => void refresh(), []);
  const onChanged = () => {
    forgetTypedPassword();
    return refresh();
  };
  const title = mustChangePassword ? texts.ownPassword : texts.factor;
  return (
    <AuthPage title={title}>
      <Title order={2} className={classes.title}>
        {title}
      </Title>
      <Text className={classes.why}>{mustChangePassword ? texts.whyOwnPassword : texts.whyFactor}</Text>
      {mustChangePassword ? <ChangePasswordForm oldPassword={typedPassword()} onChanged={onChanged} /> : <FactorList />}
      <Button variant="default" mt="md" onClick={() => void signOut()}>
        {texts.signOut}
      </Button>
    </AuthPage>
  );
}
