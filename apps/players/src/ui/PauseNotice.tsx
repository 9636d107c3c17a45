import { Link } from '../lib/navigation.ts';
import { useKeptProtection, usePause } from '../lib/protectionRead.ts';
import { pauseText } from '../lib/ownDay.ts';
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
      Until then no bets are taken. What you have laid runs to its end, and what is owed to you can be claimed.
    </Notice>
  );
}
