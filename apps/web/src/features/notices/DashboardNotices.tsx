import { pagePath } from '../../lib/paths.ts';
import { useUser } from '../../lib/session/session.ts';
import { PathLink } from '../../ui/page/PathLink.tsx';
import classes from './DashboardNotices.module.css';
import { NoticeList } from './NoticeList.tsx';
import { UnreadOwnNotices } from './UnreadOwnNotices.tsx';
import { useOwnNotices } from '../../lib/server/useOwnNotices.ts';
import { noticesTexts as texts, noticesTexts } from './noticesTexts.ts';
import { groupNotices, isPassing, needsPerson, useNotices } from './useNotices.ts';
import { WEBHOOK_UNSET } from '@drawhouse/contract/notices/notice-texts';
import { testWebhook } from '@drawhouse/contract/notices/notices';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call, errorMessage } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { FailureText } from '../../lib/RequestId.tsx';

const SHOWN_MAX = 5;

export function Inbox() {
  const { role } = useUser();
  const passing = useNotices()?.data.filter(isPassing) ?? [];
  const open = passing.filter((notice) => needsPerson(notice));
  const shown = groupNotices(open).slice(0, SHOWN_MAX).flat();
  const more = open.length - shown.length;
  const hidden = passing.length - open.length;
  const others = [...(more > 0 ? [texts.more(more)] : []), ...(hidden > 0 ? [texts.hidden(hidden)] : [])];
  const hasOwn = useOwnNotices().data?.data.some(({ isRead }) => !isRead) ?? false;
  if (passing.length === 0 && !hasOwn) return null;
  return (
    <section className={classes.inbox} aria-label={texts.title}>
      <UnreadOwnNotices />
      {open.length > 0 && <NoticeList notices={shown} marks />}
      {others.length > 0 && (
        <PathLink className={classes.all} href={pagePath(role, 'notices')}>
          {others.join(', ')}
        </PathLink>
      )}
    </section>
  );
}

/** Collapsed: the setup needs attention once, not every day. */
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

function WebhookCard() {
  const webhook = useNotices()?.webhook;
  const test = useMutation({
    mutationFn: () => call(testWebhook, {}),
    // The notice about an unanswered webhook may change.
    onSettled: () => reload(['notices']),
  });
  if (webhook === undefined) return null;
  return (
    <section className={classes.card} aria-labelledby="webhook-title">
      <div className={classes.words}>
        <h2 id="webhook-title" className={classes.title}>
          {noticesTexts.noticesByWebhook}
        </h2>
        <p className={classes.text}>{webhook ? noticesTexts.sentWhenTheyBegin(webhook.to) : WEBHOOK_UNSET}</p>
        <output className={classes.answer}>
          {test.data?.message}
          {test.error && <FailureText message={errorMessage(test.error)} />}
        </output>
      </div>
      {webhook && (
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          {noticesTexts.sendTestMessage}
        </Button>
      )}
    </section>
  );
}
