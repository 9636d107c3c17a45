import { Link } from '../lib/navigation.ts';
import { useKeptProtection, usePause } from '../lib/protectionRead.ts';
import { pauseText } from '../lib/ownDay.ts';
import { Notice } from './Notice.tsx';

/** Says that no bets are taken from the player now: on a break, with the time of the day used, or excluded while its session still runs; until when, and what can be done meanwhile. Keeps what it says as it is at the server. */
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
