import { Link } from '../lib/navigation.ts';
import { useKeptProtection, usePause } from '../lib/betting/useProtection.ts';
import { pauseText } from '../lib/betting/bettingPause.ts';
import { Notice } from './Notice.tsx';

/**
 * Shown during a break, with daily time used up, or while excluded with a running session. Keeps protection current.
 */
export function PauseNotice() {
  useKeptProtection();
  const pause = usePause();
  if (!pause) return null;
  return (
    <Notice tone="warn" title={pauseText(pause)} action={<Link to="/mine/limits">Limits and breaks</Link>}>
      You can’t place bets until then. Bets you have placed run to their end, and you can claim your wins.
    </Notice>
  );
}
