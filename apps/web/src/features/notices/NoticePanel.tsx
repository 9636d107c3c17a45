import { pagePath } from '../../lib/paths.ts';
import { useUser } from '../../lib/session/session.ts';
import { PathLink } from '../../ui/page/PathLink.tsx';
import classes from './NoticePanel.module.css';
import { NoticeList } from './NoticeList.tsx';
import { noticesTexts as texts } from './noticesTexts.ts';
import type { Notice } from './useNotices.ts';

/** Opened by the bell. */
export function NoticePanel({ notices, onLeave }: { notices: readonly Notice[]; onLeave: () => void }) {
  const { role } = useUser();
  return (
    <>
      <div className={classes.list}>
        {notices.length === 0 ? (
          <p className={classes.none}>{texts.none.title}.</p>
        ) : (
          <NoticeList notices={notices} marks onLeave={onLeave} />
        )}
      </div>
      <PathLink className={classes.all} href={pagePath(role, 'notices')} onClick={onLeave}>
        {texts.all}
      </PathLink>
    </>
  );
}
