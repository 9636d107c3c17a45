import { pagePath } from '../../lib/paths.ts';
import { may } from '../../lib/session/rights.ts';
import { useUser } from '../../lib/session/session.ts';
import { PathLink } from '../../ui/page/PathLink.tsx';
import { DeviceAlerts } from './DeviceAlerts.tsx';
import classes from './NoticePanel.module.css';
import { NoticeList } from './NoticeList.tsx';
import { UnreadOwnNotices } from './UnreadOwnNotices.tsx';
import { noticesTexts as texts } from './noticesTexts.ts';
import type { Notice } from './useNotices.ts';

interface Props {
  readonly notices: readonly Notice[];
  readonly hasOwn: boolean;
  readonly onLeave: () => void;
}

export function NoticePanel({ notices, hasOwn, onLeave }: Props) {
  const { role } = useUser();
  return (
    <>
      <div className={classes.list}>
        <UnreadOwnNotices onLeave={onLeave} />
        {notices.length > 0 && <NoticeList notices={notices} marks onLeave={onLeave} />}
        {notices.length === 0 && !hasOwn && <p className={classes.none}>{texts.none.title}.</p>}
      </div>
      <details className={classes.alerts}>
        <summary>{texts.settings.title}</summary>
        <DeviceAlerts />
      </details>
      {may('notices') && (
        <PathLink className={classes.all} href={pagePath(role, 'notices')} onClick={onLeave}>
          {texts.all}
        </PathLink>
      )}
    </>
  );
}
