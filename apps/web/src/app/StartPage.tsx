import { lazy, Suspense } from 'react';
import { useSession } from '../lib/useSession.ts';

const SignInPage = lazy(async () => ({ default: (await import('../features/auth/SignInPage.tsx')).SignInPage }));
const PlayerPage = lazy(async () => ({ default: (await import('./PlayerPage.tsx')).PlayerPage }));

/** `/`: the sign-in, or the page of a signed-in player. */
export function StartPage() {
  const session = useSession();
  return <Suspense>{session?.role === 'user' ? <PlayerPage /> : <SignInPage />}</Suspense>;
}
