import { Button, Title } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { formatDateTime, timeZoneName } from '../../lib/format.ts';
import { creditPath, ownStatementPath } from '../../lib/paths.ts';
import { useBalance } from '../../lib/useBalance.ts';
import { useSession, useUser } from '../../lib/useSession.ts';
import { commonTexts } from '../../commonTexts.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PathLink } from '../../ui/PathLink.tsx';
import { Points } from '../../ui/Points.tsx';
import { ChangePasswordForm } from './ChangePasswordForm.tsx';
import { LandingChoice } from './LandingChoice.tsx';
import { SessionList } from './SessionList.tsx';
import classes from './ProfilePage.module.css';

const texts = commonTexts.profile;

/** Who is signed in, where, and a new password; a superadmin issues and retires credit from here, an admin says what the landing page may tell. */
export function ProfilePage() {
  const user = useUser();
  return (
    <>
      <PageHeader
        title={texts.title}
        action={
          user.role === 'superadmin' && (
            <Button
              variant="default"
              component={PathLink}
              href={creditPath(user.role, user.role, 'creditadjust', user._id)}
              leftSection={<IconCoins size={16} aria-hidden />}
            >
              {commonTexts.credit.ownAdjust}
            </Button>
          )
        }
      />
      <div className={classes.parts}>
        <Part title="Account">
          <Facts />
        </Part>
        <Part title={texts.changePassword} beside>
          <ChangePasswordForm />
        </Part>
        <div className={classes.stack}>
          <Part title="Where you are signed in">
            <SessionList />
          </Part>
          {user.role === 'admin' && (
            <Part title="Landing page">
              <LandingChoice />
            </Part>
          )}
        </div>
      </div>
    </>
  );
}

function Part({ title, beside, children }: { title: string; beside?: boolean; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.part} data-beside={beside} aria-labelledby={id}>
      <Title order={2} id={id} className={classes.title}>
        {title}
      </Title>
      {children}
    </section>
  );
}

function Facts() {
  const user = useUser();
  const session = useSession();
  const balance = useBalance() ?? user.walletBalance;
  return (
    <dl className={classes.facts}>
      <dt>Username</dt>
      <dd>{user.username}</dd>
      <dt>Role</dt>
      <dd>{user.role}</dd>
      <dt>Unique ID</dt>
      <dd className={classes.code}>{user.uniqueId}</dd>
      <dt>Wallet balance</dt>
      <dd>
        <Points value={balance} inline />{' '}
        <PathLink href={ownStatementPath(user.role)} className={classes.statement}>
          {commonTexts.statement.title}
        </PathLink>
      </dd>
      <dt>Time zone</dt>
      <dd>
        {timeZoneName()}
        <div className={classes.note}>From this browser. All times are shown in it.</div>
      </dd>
      {session && (
        <>
          <dt>Session</dt>
          <dd>
            Ends on {formatDateTime(new Date(session.expiresAt).toISOString())}
            {!session.final && ' if nothing more is done'}
          </dd>
        </>
      )}
    </dl>
  );
}
