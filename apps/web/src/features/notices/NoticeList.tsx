import { markNotice, unmarkNotice } from '@drawhouse/contract/notices/notice-acts';
import { UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Fragment } from 'react';
import { failureNote } from '../../lib/RequestId.tsx';
import { call, errorMessage } from '../../lib/server/api.ts';
import { queryKeys } from '../../lib/server/queryKeys.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { formatDateTime, withTimes } from '../../lib/format/format.ts';
import { objectPath, pagePath, panelPath } from '../../lib/paths.ts';
import { useUser } from '../../lib/session/session.ts';
import type { AuthUser } from '@drawhouse/contract/auth/auth';
import { PathLink } from '../../ui/page/PathLink.tsx';
import classes from './NoticeList.module.css';
import { noticesTexts as texts } from './noticesTexts.ts';
import { needsPerson } from './useNotices.ts';
import type { Notice } from './useNotices.ts';

const HOUR_MS = 3_600_000;

interface Props {
  readonly notices: readonly Notice[];
  /** Offers to acknowledge and snooze. */
  readonly marks?: boolean;
  readonly onLeave?: () => void;
}

export function NoticeList({ notices, marks = false, onLeave }: Props) {
  const user = useUser();
  return (
    <ul className={classes.notices}>
      {notices.map((notice) => {
        const act = actOf(notice, user);
        return (
          <li
            key={`${notice.code} ${notice.key} ${notice.detail}`}
            className={classes.notice}
            data-marked={!needsPerson(notice)}
          >
            <IconAlertTriangle size={20} className={classes.icon} aria-hidden />
            <div className={classes.words}>
              <h2 className={classes.title}>
                <Title notice={notice} user={user} onLeave={onLeave} />
              </h2>
              <Details notice={notice} />
            </div>
            <div className={classes.acts}>
              {act && (
                <PathLink href={act.href} className={classes.act} {...(onLeave && { onClick: onLeave })}>
                  {act.label}
                </PathLink>
              )}
              {marks && <MarkButtons notice={notice} />}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Details({ notice: { code, detail, last, text, until, since } }: { notice: Notice }) {
  return (
    <>
      {detail !== undefined && (
        <p className={classes.detail}>
          {withTimes(detail)}
          {code === 'RESULT_TO_CONFIRM' && until !== undefined && ` ${texts.drawsAt(formatDateTime(until))}`}
        </p>
      )}
      {last !== undefined && (
        <p className={classes.detail}>{last === null ? texts.lastNone : texts.last(formatDateTime(last))}</p>
      )}
      <p className={classes.text}>
        {text}
        {until !== undefined && code !== 'RESULT_TO_CONFIRM' && <strong> {texts.until(formatDateTime(until))}</strong>}
      </p>
      {since !== undefined && <p className={classes.text}>{texts.since(formatDateTime(since))}</p>}
    </>
  );
}

function MarkButtons({ notice }: { notice: Notice }) {
  const { mutate, isPending } = useMarkNotice();
  const snooze = (ms: number) => mutate({ notice, until: new Date(Date.now() + ms).toISOString() });
  const { mark } = notice;
  if (mark && !needsPerson(notice))
    return (
      <>
        <span className={classes.text}>
          {mark.until === null ? texts.acknowledged : texts.snoozed(formatDateTime(mark.until))}
        </span>
        <UnstyledButton
          className={classes.mark}
          disabled={isPending}
          onClick={() => mutate({ notice, until: undefined })}
        >
          {texts.showAgain}
        </UnstyledButton>
      </>
    );
  return (
    <>
      <UnstyledButton className={classes.mark} disabled={isPending} onClick={() => mutate({ notice, until: null })}>
        {texts.acknowledge}
      </UnstyledButton>
      <UnstyledButton className={classes.mark} disabled={isPending} onClick={() => snooze(HOUR_MS)}>
        {texts.snoozeHour}
      </UnstyledButton>
      <UnstyledButton className={classes.mark} disabled={isPending} onClick={() => snooze(24 * HOUR_MS)}>
        {texts.snoozeDay}
      </UnstyledButton>
    </>
  );
}

/** Names of admins and games lead to their pages. */
function Title({ notice, user, onLeave }: { notice: Notice; user: AuthUser; onLeave: Props['onLeave'] }) {
  const { title, admin, about, adminId, table } = notice;
  const ofAdmin = adminId === undefined ? null : objectPath(user, { kind: 'account', id: adminId, role: 'admin' });
  const ofTable = table && admin !== undefined ? panelPath(user.role, table.gameId, table.adminId, admin) : null;
  const objects = [
    ...(admin === undefined || admin === user.username ? [] : [{ name: admin, href: ofAdmin }]),
    ...(about === undefined ? [] : [{ name: about, href: admin === undefined ? ofAdmin : ofTable }]),
  ];
  return (
    <>
      {title}
      {objects.map(({ name, href }) => (
        <Fragment key={name}>
          {': '}
          {href === null ? (
            name
          ) : (
            <PathLink href={href} {...(onLeave && { onClick: onLeave })}>
              {name}
            </PathLink>
          )}
        </Fragment>
      ))}
    </>
  );
}

function actOf(
  { code, table, admin }: Notice,
  user: AuthUser,
): { readonly href: string; readonly label: string } | undefined {
  const { acts } = texts;
  if (table && admin !== undefined)
    return {
      href: panelPath(user.role, table.gameId, table.adminId, admin),
      label: code === 'RESULT_TO_CONFIRM' ? acts.confirm : acts.panel,
    };
  const page = PAGES[code];
  if (page) return { href: pagePath(user.role, page.page), label: acts[page.act] };
  return admin === user.username ? { href: pagePath(user.role, 'backup'), label: acts.backup } : undefined;
}

const PAGES: Partial<Record<Notice['code'], { readonly page: string; readonly act: keyof typeof texts.acts }>> = {
  AUDIT_FAILED: { page: 'liability', act: 'liability' },
  DRAWS_LATE: { page: 'game', act: 'tables' },
  SETTLEMENT_LATE: { page: 'game', act: 'tables' },
  TABLE_BELOW_ZERO: { page: 'game', act: 'tables' },
  RETURNS_OUTSIDE: { page: 'returns?standing=outside', act: 'returns' },
  HISTORY_CLEARED: { page: 'logactivities', act: 'log' },
  NETWORK_RESTORED: { page: 'logactivities', act: 'log' },
};

/** Acknowledges (`until` null), snoozes, or shows a notice again (`until` undefined). */
function useMarkNotice() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ notice: { code, key }, until }: { notice: Notice; until: string | null | undefined }) =>
      until === undefined
        ? call(unmarkNotice, { body: { code, key } })
        : call(markNotice, { body: { code, key, until } }),
    onError: (error) => notifications.show({ color: 'red', message: failureNote(errorMessage(error)) }),
    onSettled: () => queries.invalidateQueries({ queryKey: [queryKeys.notices] }),
  });
}
