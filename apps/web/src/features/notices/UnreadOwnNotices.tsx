import { UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconUserExclamation } from '@tabler/icons-react';
import { commonTexts } from '../../commonTexts.ts';
import { pagePath } from '../../lib/paths.ts';
import { failureNote } from '../../lib/RequestId.tsx';
import { errorMessage } from '../../lib/server/api.ts';
import { useMarkOwnNotices, useOwnNotices } from '../../lib/server/useOwnNotices.ts';
import { useUser } from '../../lib/session/session.ts';
import { DateTime } from '../../ui/mark/DateTime.tsx';
import { PathLink } from '../../ui/page/PathLink.tsx';
import classes from './NoticeList.module.css';
import { noticesTexts } from './noticesTexts.ts';

const SHOWN_MAX = 5;
const texts = commonTexts.ownNotices;

/** Unread changes to the person's login, as one card. The profile lists all. */
export function UnreadOwnNotices({ onLeave }: { onLeave?: () => void }) {
  const { role } = useUser();
  const unread = useOwnNotices().data?.data.filter(({ isRead }) => !isRead) ?? [];
  const { mutate, isPending } = useMarkOwnNotices();
  const [newest] = unread;
  if (!newest) return null;
  const read = () =>
    mutate(newest.createdAt, {
      onError: (error) => notifications.show({ color: 'red', message: failureNote(errorMessage(error)) }),
    });
  return (
    <ul className={classes.notices} aria-label={texts.title}>
      <li className={classes.notice}>
        <IconUserExclamation size={20} className={classes.icon} aria-hidden />
        <div className={classes.words}>
          <h2 className={classes.title}>{texts.title}</h2>
          <p className={classes.text}>{texts.meaning}</p>
          <ul className={classes.members}>
            {unread.slice(0, SHOWN_MAX).map(({ _id, kind, by, ipAddress, createdAt }) => (
              <li key={_id} className={classes.member}>
                <span>{texts.kinds[kind]}</span>
                <span className={classes.memberActs}>
                  <span>{texts.by(by, ipAddress)}</span>
                  <DateTime value={createdAt} relative />
                </span>
              </li>
            ))}
          </ul>
          {unread.length > SHOWN_MAX && <p className={classes.text}>{noticesTexts.more(unread.length - SHOWN_MAX)}</p>}
        </div>
        <div className={classes.acts}>
          <PathLink href={pagePath(role, 'profile')} className={classes.act} {...(onLeave && { onClick: onLeave })}>
            {noticesTexts.acts.profile}
          </PathLink>
          <UnstyledButton className={classes.mark} disabled={isPending} onClick={read}>
            {texts.markRead}
          </UnstyledButton>
        </div>
      </li>
    </ul>
  );
}
