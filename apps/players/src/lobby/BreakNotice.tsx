import { dateText } from '../lib/amounts.ts';
import { Link } from '../lib/navigation.ts';
import { useProtection } from '../lib/protectionRead.ts';
import { useServerTime } from '../lib/serverTime.ts';
import { Notice } from '../ui/Notice.tsx';

/** Says that the player is on a break, or excluded while its session still runs, until when, and what can be done meanwhile. */
export function BreakNotice() {
  const { data } = useProtection();
  const until = data?.excludedUntil ?? data?.breakUntil ?? null;
  const isOver = useServerTime((now) => until === null || now >= Date.parse(until));
  if (until === null || isOver) return null;
  return (
    <Notice
      tone="warn"
      title={`You are ${data?.excludedUntil ? 'excluded' : 'on a break'} until ${dateText(until)}.`}
      action={<Link to="/mine/limits">Limits and breaks</Link>}
    >
      Until then no bets are taken. What you have laid runs to its end, and what is owed to you can be claimed.
    </Notice>
  );
}
