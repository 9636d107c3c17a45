import { Button, Title } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { errorMessage } from '../lib/api.ts';
import { fairPath } from '../lib/paths.ts';
import { useBalance } from '../lib/useBalance.ts';
import { useSession } from '../lib/useSession.ts';
import { useSignOut } from '../lib/useSignOut.ts';
import { commonTexts } from '../commonTexts.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { LoadingOverlay } from '../ui/LoadingOverlay.tsx';
import { Points } from '../ui/Points.tsx';
import { Brand } from './Brand.tsx';
import { ThemeSwitch } from './ThemeSwitch.tsx';
import { useSessionLoad } from './useSessionLoad.ts';
import classes from './PlayerPage.module.css';

const PlayerLimits = lazy(async () => ({
  default: (await import('../features/games/PlayerLimits.tsx')).PlayerLimits,
}));

/** What a player sees for now: who they are, what they hold, how much they may stake, and the way out. */
export function PlayerPage() {
  const user = useSession()?.user;
  const load = useSessionLoad();
  const balance = useBalance();
  const signOut = useSignOut();
  return (
    <div className={classes.page}>
      <title>{commonTexts.product}</title>
      <header className={classes.bar}>
        <Brand />
        <ThemeSwitch />
      </header>
      <main className={classes.main}>
        {load.error && !user && <ErrorState message={errorMessage(load.error)} onRetry={() => void load.refetch()} />}
        {!user && !load.error && <LoadingOverlay visible label="Loading your session" />}
        {user && (
          <>
            <Title order={1} className={classes.name}>
              {user.username}
            </Title>
            <p className={classes.id}>{user.uniqueId}</p>
            <section className={classes.wallet} aria-labelledby="wallet">
              <h2 id="wallet" className={classes.label}>
                Wallet
              </h2>
              <p className={classes.amount}>
                <Points value={balance ?? user.walletBalance} inline />
              </p>
            </section>
            <Suspense>
              <PlayerLimits />
            </Suspense>
            <p className={classes.fair}>
              <a href={fairPath()}>How draws are fair</a>
            </p>
            <Button
              size="lg"
              variant="default"
              fullWidth
              leftSection={<IconLogout size={18} aria-hidden />}
              onClick={() => void signOut()}
            >
              {commonTexts.auth.logout}
            </Button>
          </>
        )}
      </main>
    </div>
  );
}
