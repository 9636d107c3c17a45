import { Link } from '../lib/navigation.ts';
import { useCurrentProtection, usePause } from '../lib/betting/useProtection.ts';
import { pauseText } from '../lib/betting/bettingPause.ts';
import { Notice } from './Notice.tsx';
import { playerTexts } from '../lib/playerTexts.ts';

/** Also keeps protection current. */
export function PauseNotice() {
  useCurrentProtection();
  const pause = usePause();
  if (!pause) return null;
  return (
    <Notice tone="warn" title={pauseText(pause)} action={<Link href="/mine/limits">{playerTexts.limits}</Link>}>
      {playerTexts.pauseHelp}
    </Notice>
  );
}
