import { useEffect, useEffectEvent } from 'react';
import { Link } from '../lib/navigation.ts';
import { failureText } from '../lib/server/playerApi.ts';
import { useSession } from '../lib/session/playerSession.ts';
import { playerTexts } from '../lib/playerTexts.ts';
import { signOut } from '../lib/session/sessionCalls.ts';
import { Button } from '../ui/Button.tsx';
import { Sheet } from '../ui/sheets/Sheet.tsx';
import { ThemeChoice } from '../ui/sheets/ThemeChoice.tsx';
import { showToast } from '../lib/toast.ts';
import styles from './Shell.module.css';

const PLACES = [
  { to: '/', label: 'Games' },
  { to: '/mine/bets', label: 'My bets' },
  { to: '/mine/statement', label: 'My statement' },
  { to: '/mine/limits', label: 'Limits and breaks' },
  { to: '/mine/account', label: 'Password and devices' },
] as const;

export function MenuSheet({ isPlayer, path, onClose }: { isPlayer: boolean; path: string; onClose: () => void }) {
  const user = useSession()?.user;
  // Links and browser Back close the menu too.
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const left = () => close();
    window.addEventListener('popstate', left);
    return () => window.removeEventListener('popstate', left);
  }, []);
  const leave = async () => {
    onClose();
    const failure = await signOut();
    if (failure !== undefined) showToast(failureText(failure, 'Logout failed.'));
  };
  return (
    <Sheet title={isPlayer ? (user?.username ?? 'Menu') : 'Menu'} onClose={onClose}>
      <nav aria-label="Pages">
        <ul className={styles.places}>
          {isPlayer &&
            PLACES.map(({ to, label }) => (
              <li key={to}>
                <Link to={to} aria-current={path === to ? 'page' : undefined} onClick={onClose}>
                  {label}
                </Link>
              </li>
            ))}
          {!isPlayer && (
            <li>
              <Link to="/sign-in" aria-current={path === '/sign-in' ? 'page' : undefined} onClick={onClose}>
                Sign in
              </Link>
            </li>
          )}
          <li>
            <Link to="/welcome" aria-current={path === '/welcome' ? 'page' : undefined} onClick={onClose}>
              About Drawhouse
            </Link>
          </li>
          <li>
            {/* Separate app, so a full page load. */}
            <a href="/fair">How draws are fair</a>
          </li>
        </ul>
      </nav>
      <ThemeChoice />
      {isPlayer && (
        <Button isWide onClick={() => void leave()}>
          {playerTexts.logout}
        </Button>
      )}
    </Sheet>
  );
}
