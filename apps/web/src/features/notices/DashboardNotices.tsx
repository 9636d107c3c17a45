import { pagePath } from '../../lib/paths.ts';
import { useUser } from '../../lib/session/session.ts';
import { PathLink } from '../../ui/page/PathLink.tsx';
import classes from './DashboardNotices.module.css';
import { NoticeList } from './NoticeList.tsx';
import { noticesTexts as texts } from './noticesTexts.ts';
import { isPassing, needsPerson, useNotices } from './useNotices.ts';
import { WebhookCard } from './WebhookCard.tsx';

const SHOWN_MAX = 5;

/** Open tasks, at the top of the dashboard. */
export function Inbox() {
  const { role } = useUser();
  const passing = useNotices()?.data.filter(isPassing) ?? [];
  const open = passing.filter((notice) => needsPerson(notice));
  const more = open.length - SHOWN_MAX;
  const hidden = passing.length - open.length;
  const others = [...(more > 0 ? [texts.more(more)] : []), ...(hidden > 0 ? [texts.hidden(hidden)] : [])];
  if (passing.length === 0) return null;
  return (
    <section className={classes.inbox} aria-label={texts.title}>
      {open.length > 0 && <NoticeList notices={open.slice(0, SHOWN_MAX)} marks />}
      {others.length > 0 && (
        <PathLink className={classes.all} href={pagePath(role, 'notices')}>
          {others.join(', ')}
        </PathLink>
      )}
    </section>
  );
}

/** The server's setup, collapsed: it needs attention once, not every day. */
export function ServerSettings() {
  const setup = useNotices()?.data.filter((notice) => !isPassing(notice));
  if (!setup) return null;
  return (
    <details className={classes.server}>
      <summary>
        {texts.server} <span className={classes.note}>{texts.serverNote(setup.length)}</span>
      </summary>
      {setup.length > 0 && <NoticeList notices={setup} />}
      <WebhookCard />
    </details>
  );
}
