import { markNotice, unmarkNotice } from '@drawhouse/contract/notices/notice-acts';
import { UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Fragment } from 'react';
import { failureNote } from '../../lib/RequestId.tsx';
import { call, errorMessage } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { formatDateTime, withTimes } from '../../lib/format/format.ts';
import { objectPath, pagePath, panelPath, withSearch } from '../../lib/paths.ts';
import { useUser } from '../../lib/session/session.ts';
import type { AuthUser } from '@drawhouse/contract/auth/auth';
import { PathLink } from '../../ui/page/PathLink.tsx';
import classes from './NoticeList.module.css';
import { noticesTexts as texts } from './noticesTexts.ts';
import { groupNotices, needsPerson, type Notice } from './useNotices.ts';

const HOUR_MS = 3_600_000;

interface Props {
  readonly notices: readonly Notice[];
  readonly marks?: boolean;
  readonly onLeave?: () => void;
}

export function NoticeList({ notices, marks = false, onLeave }: Props) {
  return (
    <ul className={classes.notices}>
      {groupNotices(notices).map((group) => {
        const [first] = group;
        return (
          <li key={keyOf(first)} className={classes.notice} data-marked={!needsPerson(first)}>
            <IconAlertTriangle size={20} className={classes.icon} aria-hidden />
            {group.length === 1 ? (
              <SingleNotice notice={first} marks={marks} onLeave={onLeave} />
            ) : (
              <NoticeGroup notices={group} marks={marks} onLeave={onLeave} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function keyOf({ code, key, detail }: Notice): string {
  return `${code} ${key} ${detail}`;
}

interface SingleProps {
  readonly notice: Notice;
  readonly marks: boolean;
  readonly onLeave: Props['onLeave'];
}

function SingleNotice({ notice, marks, onLeave }: SingleProps) {
  const objects = useObjects(notice);
  return (
    <>
      <div className={classes.words}>
        <h2 className={classes.title}>
          {notice.title}
          {objects.map((object) => (
            <Fragment key={object.name}>
              {': '}
              <ObjectName {...object} onLeave={onLeave} />
            </Fragment>
          ))}
        </h2>
        <Details notice={notice} />
      </div>
      <div className={classes.acts}>
        <ActLink notice={notice} onLeave={onLeave} />
        {marks && <MarkButtons notices={[notice]} />}
      </div>
    </>
  );
}

const MEMBERS_MAX = 3;

/** Shows notices of one kind with one text. */
function NoticeGroup({ notices, marks, onLeave }: Omit<Props, 'marks'> & { readonly marks: boolean }) {
  const [first] = notices;
  const rows = notices.map((notice) => (
    <GroupMember key={keyOf(notice)} notice={notice} marks={marks} onLeave={onLeave} />
  ));
  return (
    <>
      <div className={classes.words}>
        <h2 className={classes.title}>{texts.countOf(first!.title, notices.length)}</h2>
        <p className={classes.text}>{first!.text}</p>
        <ul className={classes.members}>{rows.slice(0, MEMBERS_MAX)}</ul>
        {rows.length > MEMBERS_MAX && (
          <details>
            <summary className={classes.rest}>{texts.more(rows.length - MEMBERS_MAX)}</summary>
            <ul className={classes.members}>{rows.slice(MEMBERS_MAX)}</ul>
          </details>
        )}
      </div>
      {marks && needsPerson(first!) && (
        <div className={classes.acts}>
          <MarkButtons notices={notices} />
        </div>
      )}
    </>
  );
}

function GroupMember({ notice, marks, onLeave }: SingleProps) {
  const objects = useObjects(notice);
  const { mutate, isPending } = useMarkNotices();
  return (
    <li className={classes.member}>
      <span>
        {objects.map((object, index) => (
          <Fragment key={object.name}>
            {index > 0 && ', '}
            <ObjectName {...object} onLeave={onLeave} />
          </Fragment>
        ))}
        <Details notice={notice} isMember />
      </span>
      <span className={classes.memberActs}>
        <ActLink notice={notice} onLeave={onLeave} />
        {marks && needsPerson(notice) && (
          <UnstyledButton
            className={classes.mark}
            disabled={isPending}
            onClick={() => mutate({ notices: [notice], until: null })}
          >
            {texts.acknowledge}
          </UnstyledButton>
        )}
        {marks && !needsPerson(notice) && <MarkButtons notices={[notice]} />}
      </span>
    </li>
  );
}

function ActLink({ notice, onLeave }: Pick<SingleProps, 'notice' | 'onLeave'>) {
  const act = actOf(notice, useUser());
  if (!act) return null;
  return (
    <PathLink href={act.href} className={classes.act} {...(onLeave && { onClick: onLeave })}>
      {act.label}
    </PathLink>
  );
}

interface DetailsProps {
  notice: Notice;
  isMember?: boolean;
}

function Details({ notice: { code, detail, last, text, until, since }, isMember = false }: DetailsProps) {
  const deadline = until !== undefined && code !== 'RESULT_TO_CONFIRM' ? texts.until(formatDateTime(until)) : null;
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
      {(!isMember || deadline !== null) && (
        <p className={classes.text}>
          {!isMember && text} {deadline !== null && <strong>{deadline}</strong>}
        </p>
      )}
      {!isMember && since !== undefined && <p className={classes.text}>{texts.since(formatDateTime(since))}</p>}
    </>
  );
}

function MarkButtons({ notices }: { notices: readonly Notice[] }) {
  const { mutate, isPending } = useMarkNotices();
  const snooze = (ms: number) => mutate({ notices, until: new Date(Date.now() + ms).toISOString() });
  const { mark } = notices[0]!;
  if (mark && !needsPerson(notices[0]!))
    return (
      <>
        <span className={classes.text}>
          {mark.until === null ? texts.acknowledged : texts.snoozed(formatDateTime(mark.until))}
        </span>
        <UnstyledButton
          className={classes.mark}
          disabled={isPending}
          onClick={() => mutate({ notices, until: undefined })}
        >
          {texts.showAgain}
        </UnstyledButton>
      </>
    );
  return (
    <>
      <UnstyledButton className={classes.mark} disabled={isPending} onClick={() => mutate({ notices, until: null })}>
        {notices.length === 1 ? texts.acknowledge : texts.acknowledgeAll}
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

interface NamedObject {
  readonly name: string;
  readonly href: string | null;
}

function useObjects({ admin, about, account, adminId, table }: Notice): readonly NamedObject[] {
  const user = useUser();
  const ofAdmin = adminId === undefined ? null : objectPath(user, { kind: 'account', id: adminId, role: 'admin' });
  const ofAccount = account && objectPath(user, { kind: 'account', ...account });
  const ofTable = table && admin !== undefined ? panelPath(user.role, table.gameId, table.adminId, admin) : null;
  return [
    ...(admin === undefined || admin === user.username ? [] : [{ name: admin, href: ofAdmin }]),
    ...(about === undefined ? [] : [{ name: about, href: ofAccount ?? (admin === undefined ? ofAdmin : ofTable) }]),
  ];
}

function ObjectName({ name, href, onLeave }: NamedObject & Pick<Props, 'onLeave'>) {
  if (href === null) return name;
  return (
    <PathLink href={href} {...(onLeave && { onClick: onLeave })}>
      {name}
    </PathLink>
  );
}

function actOf(
  { code, table, admin, account, day }: Notice,
  user: AuthUser,
): { readonly href: string; readonly label: string } | undefined {
  const { acts } = texts;
  if (table && admin !== undefined)
    return {
      href: panelPath(user.role, table.gameId, table.adminId, admin),
      label: code === 'RESULT_TO_CONFIRM' ? acts.confirm : acts.panel,
    };
  if (code === 'YOU_OWE')
    return { href: withSearch(pagePath(user.role, 'week'), { account: user._id }), label: acts.week };
  if (day !== undefined)
    return {
      href: withSearch(pagePath(user.role, 'week'), { account: account?.id ?? user._id, day }),
      label: acts.week,
    };
  const page = PAGES[code];
  if (page) return { href: pagePath(user.role, page.page), label: acts[page.act] };
  return admin === user.username ? { href: pagePath(user.role, 'backup'), label: acts.backup } : undefined;
}

const PAGES: Partial<Record<Notice['code'], { readonly page: string; readonly act: keyof typeof texts.acts }>> = {
  APPROVAL_WAITING: { page: 'approvals?state=waiting', act: 'approvals' },
  ACCOUNTS_OWE: { page: 'week', act: 'week' },
  ORDER_SKIPPED: { page: 'standing', act: 'standing' },
  ORDER_ENDED: { page: 'standing', act: 'standing' },
  SELLING_STOPPED: { page: 'standing', act: 'standing' },
  AUDIT_FAILED: { page: 'liability', act: 'liability' },
  AUDIT_OVERDUE: { page: 'liability', act: 'liability' },
  BEACON_AWAY: { page: 'beacons', act: 'beacons' },
  CREDIT_WAITS: { page: 'transactionreport', act: 'transactions' },
  DRAWS_LATE: { page: 'game', act: 'tables' },
  SETTLEMENT_LATE: { page: 'game', act: 'tables' },
  TABLE_BELOW_ZERO: { page: 'game', act: 'tables' },
  RETURNS_OUTSIDE: { page: 'returns?standing=outside', act: 'returns' },
  SIGN_INS_REFUSED: { page: 'logactivities', act: 'log' },
  HISTORY_CLEARED: { page: 'logactivities', act: 'log' },
  NETWORK_RESTORED: { page: 'logactivities', act: 'log' },
};

/** `until`: null acknowledges, undefined shows again. */
function useMarkNotices() {
  return useMutation({
    mutationFn: ({ notices, until }: { notices: readonly Notice[]; until: string | null | undefined }) =>
      Promise.all(
        notices.map(({ code, key }) =>
          until === undefined
            ? call(unmarkNotice, { body: { code, key } })
            : call(markNotice, { body: { code, key, until } }),
        ),
      ),
    onError: (error) => notifications.show({ color: 'red', message: failureNote(errorMessage(error)) }),
    onSettled: () => reload(['notices']),
  });
}
