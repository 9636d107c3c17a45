import { Button } from '@mantine/core';
import { IconCoins } from '@tabler/icons-react';
import { formatDateTime } from '../../lib/format.ts';
import { creditPath } from '../../lib/paths.ts';
import { useBalance } from '../../lib/useBalance.ts';
import { useSession, useUser } from '../../lib/useSession.ts';
import { messages } from '../../messages.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PathLink } from '../../ui/PathLink.tsx';
import { Points } from '../../ui/Points.tsx';
import classes from './ProfilePage.module.css';

/** Who is signed in, with what, and until when; a superadmin issues and retires credit from here. */
export function ProfilePage() {
  const user = useUser();
  const session = useSession();
  const balance = useBalance() ?? user.walletBalance;
  return (
    <>
      <PageHeader
        title={messages.profile.title}
        action={
          user.role === 'superadmin' && (
            <Button
              component={PathLink}
              href={creditPath(user.role, user.role, 'creditadjust', user._id)}
              leftSection={<IconCoins size={16} aria-hidden />}
            >
              Issue / Retire credit
            </Button>
          )
        }
      />
      <dl className={classes.facts}>
        <dt>Username</dt>
        <dd>{user.username}</dd>
        <dt>Role</dt>
        <dd>{user.role}</dd>
        <dt>Unique ID</dt>
        <dd className={classes.code}>{user.uniqueId}</dd>
        <dt>Wallet balance</dt>
        <dd>
          <Points value={balance} inline />
        </dd>
        {session && (
          <>
            <dt>Session</dt>
            <dd>Ends on {formatDateTime(new Date(session.expiresAt).toISOString())} if nothing more is done</dd>
          </>
        )}
      </dl>
    </>
  );
}
