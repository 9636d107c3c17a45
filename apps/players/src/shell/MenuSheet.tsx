import { house } from '@drawhouse/session/house';
import { Link } from '../lib/navigation.ts';
import { failureText } from '../lib/server/playerApi.ts';
import { useSession } from '../lib/session/playerSession.ts';
import { playerTexts } from '../lib/playerTexts.ts';
import { signOut } from '../lib/session/sessionCalls.ts';
import { Button } from '../ui/Button.tsx';
import { LanguageChoice, ThemeChoice } from '../ui/sheets/DeviceChoices.tsx';
import { Sheet } from '../ui/sheets/Sheet.tsx';
import { showToast } from '../lib/toast.ts';
import { NotifySwitch } from './DrawNotices.tsx';
import styles from './Shell.module.css';
import { shellSheetTexts } from './shellSheetTexts.ts';

const texts = shellSheetTexts.menu;

const LINKS = [
  { to: '/', label: texts.games },
  { to: '/mine/bets', label: texts.bets },
  { to: '/mine/statement', label: texts.statement },
  { to: '/mine/limits', label: texts.limits },
  { to: '/mine/account', label: texts.security },
] as const;

export function MenuSheet({ isPlayer, path, onClose }: { isPlayer: boolean; path: string; onClose: () => void }) {
  const user = useSession()?.user;
  const leave = async () => {
    onClose();
    const failure = await signOut();
    if (failure !== undefined) showToast(failureText(failure, playerTexts.logoutFailed));
  };
  return (
    <Sheet title={isPlayer ? (user?.username ?? texts.title) : texts.title} onClose={onClose}>
      <nav aria-label={texts.label}>
        <ul className={styles.links}>
          {isPlayer &&
            LINKS.map(({ to, label }) => (
              <li key={to}>
                <Link href={to} aria-current={path === to ? 'page' : undefined} onClick={onClose}>
                  {label}
                </Link>
              </li>
            ))}
          {!isPlayer && (
            <li>
              <Link href="/sign-in" aria-current={path === '/sign-in' ? 'page' : undefined} onClick={onClose}>
                {texts.signIn}
              </Link>
            </li>
          )}
          <li>
            <Link href="/welcome" aria-current={path === '/welcome' ? 'page' : undefined} onClick={onClose}>
              {texts.about(house.name)}
            </Link>
          </li>
          <li>
            <Link href="/help" aria-current={path === '/help' ? 'page' : undefined} onClick={onClose}>
              {texts.help}
            </Link>
          </li>
          <li>
            {/* Another app: needs a full page load. */}
            <a href="/fair">{texts.fair}</a>
          </li>
        </ul>
      </nav>
      <ThemeChoice />
      <LanguageChoice />
      {isPlayer && user && <NotifySwitch accountId={user._id} />}
      {isPlayer && (
        <Button isWide onClick={() => void leave()}>
          {playerTexts.logout}
        </Button>
      )}
    </Sheet>
  );
}
