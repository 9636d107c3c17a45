import { useCallback, useState } from 'react';
import { netOf } from '../../lib/betting/lobbyNews.ts';
import { Link } from '../../lib/navigation.ts';
import { remindersDue, type PlaySettings } from '../../lib/playSettings.ts';
import { useServerTime } from '../../lib/server/serverTime.ts';
import { Button } from '../../ui/Button.tsx';
import { Money } from '../../ui/Figures.tsx';
import { Sheet } from '../../ui/sheets/Sheet.tsx';
import { lazyTexts } from '../lazyTexts.ts';
import { richText } from '@drawhouse/session/rich-text';
import { durationText, playerTexts } from '../../lib/playerTexts.ts';

const texts = lazyTexts.reminder;
const SEEN = 'reminders-seen';

interface ReminderProps {
  settings: PlaySettings;
  signedInAt: string;
  today: { staked: number; won: number };
}

export function Reminder({ settings, signedInAt, today }: ReminderProps) {
  const due = useServerTime(
    useCallback((now: number) => remindersDue(settings, Date.parse(signedInAt), now), [settings, signedInAt]),
  );
  const name = `${signedInAt}/${settings.remindMinutes}`;
  // Skips reminders due before opening the board or shortening the interval.
  const [seen, setSeen] = useState(() => readSeen(name));
  const before = seen.name === name ? seen.count : readSeen(name).count;
  if (due <= before) return null;
  const dismiss = () => {
    sessionStorage.setItem(SEEN, JSON.stringify({ name, count: due }));
    setSeen({ name, count: due });
  };
  return (
    <Sheet
      title={texts.title(durationText(due * settings.remindMinutes * 60_000))}
      onClose={dismiss}
      actions={
        <>
          <Button kind="main" onClick={dismiss}>
            {texts.continue}
          </Button>
          <Link href="/mine/limits" onClick={dismiss}>
            {playerTexts.limits}
          </Link>
        </>
      }
    >
      <p>
        {richText(texts.today, {
          staked: <Money points={today.staked} />,
          won: <Money points={today.won} />,
          net: <Money points={netOf({ ...today, open: 0 })} isChange />,
        })}
      </p>
    </Sheet>
  );
}

function readSeen(name: string): { name: string; count: number } {
  try {
    const stored = JSON.parse(sessionStorage.getItem(SEEN) ?? 'null') as { name?: unknown; count?: unknown } | null;
    if (stored?.name === name && typeof stored.count === 'number') return { name, count: stored.count };
  } catch {
    // Foreign content.
  }
  return { name, count: 0 };
}
