import { setWelcomeShown, welcomeShown } from '@drawhouse/contract/players/welcome';
import { richText } from '@drawhouse/session/rich-text';
import { Button, Title, Checkbox, Skeleton, Badge, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCoins } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { formatDateTime, timeZoneName } from '../../lib/format/format.ts';
import { creditPath, ownStatementPath } from '../../lib/paths.ts';
import { useBalance } from '../../lib/server/useBalance.ts';
import { may } from '../../lib/session/rights.ts';
import { personOf, useSession, useUser } from '../../lib/session/session.ts';
import { commonTexts } from '../../commonTexts.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { PathLink } from '../../ui/page/PathLink.tsx';
import { Points } from '../../ui/mark/Points.tsx';
import { ChangePasswordForm } from './ChangePasswordForm.tsx';
import { SessionList } from './SessionList.tsx';
import classes from './ProfilePage.module.css';
import { call, callQuery, errorMessage } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { failureNote } from '../../lib/RequestId.tsx';
import { ErrorState } from '../../ui/page/PageStates.tsx';
import { FactorList } from './factors/FactorList.tsx';
import { factorTexts } from './factors/factorTexts.ts';
import { profileTexts } from './profileTexts.ts';
import { useMarkOwnNotices, useOwnNotices } from '../../lib/server/useOwnNotices.ts';
import { DateTime } from '../../ui/mark/DateTime.tsx';
import sessionListClasses from './SessionList.module.css';

const texts = commonTexts.profile;

export function ProfilePage() {
  const user = useUser();
  return (
    <>
      <PageHeader
        title={texts.title}
        action={
          user.role === 'superadmin' &&
          may('adjustments') && (
            <Button
              variant="default"
              component={PathLink}
              href={creditPath(user.role, user.role, 'creditadjust', user._id)}
              leftSection={<IconCoins size={16} aria-hidden />}
            >
              {commonTexts.credit.ownAdjust}
            </Button>
          )
        }
      />
      <div className={classes.parts}>
        <Part title={profileTexts.account}>
          <Facts />
        </Part>
        <Part title={texts.changePassword} beside>
          <ChangePasswordForm />
        </Part>
        <div className={classes.stack}>
          <Part title={factorTexts.title}>
            <FactorList />
          </Part>
          <Part title={profileTexts.whereYouAreSigned}>
            <SessionList />
          </Part>
          <Part title={commonTexts.ownNotices.title}>
            <OwnNotices />
          </Part>
          {user.role === 'admin' && may('settings') && (
            <Part title={profileTexts.landingPage}>
              <LandingChoice />
            </Part>
          )}
        </div>
      </div>
    </>
  );
}

function Part({ title, beside, children }: { title: string; beside?: boolean; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.part} data-beside={beside} aria-labelledby={id}>
      <Title order={2} id={id} className={classes.title}>
        {title}
      </Title>
      {children}
    </section>
  );
}

function Facts() {
  const user = useUser();
  const session = useSession();
  const balance = useBalance() ?? user.walletBalance;
  return (
    <dl className={classes.facts}>
      <dt>{profileTexts.username}</dt>
      <dd>{personOf(user)}</dd>
      <dt>{profileTexts.role}</dt>
      <dd>{user.role}</dd>
      <dt>{profileTexts.uniqueId}</dt>
      <dd className={classes.code}>{user.uniqueId}</dd>
      <dt>{profileTexts.walletBalance}</dt>
      <dd>
        <Points value={balance} inline />{' '}
        {may('lists') && (
          <PathLink href={ownStatementPath(user.role)} className={classes.statement}>
            {commonTexts.statement.title}
          </PathLink>
        )}
      </dd>
      <dt>{profileTexts.timeZone}</dt>
      <dd>
        {timeZoneName()}
        <div className={classes.note}>{profileTexts.fromThisBrowserAll}</div>
      </dd>
      {session && (
        <>
          <dt>{profileTexts.session}</dt>
          <dd>
            {richText(profileTexts.endsOn, {
              time: formatDateTime(new Date(session.expiresAt).toISOString()),
              condition: !session.final && profileTexts.ifYouStayInactive,
            })}
          </dd>
        </>
      )}
    </dl>
  );
}

const QUERY_KEY = ['session', 'welcomeShown'] as const;

function LandingChoice() {
  const { data, error, refetch } = useQuery(callQuery(QUERY_KEY, welcomeShown, {}));
  const change = useMutation({
    mutationFn: (shown: boolean) => call(setWelcomeShown, { body: { shown } }),
    onSuccess: ({ message }) => notifications.show({ message }),
    onError: (refusal) => notifications.show({ color: 'red', message: failureNote(errorMessage(refusal)) }),
    onSettled: () => reload(QUERY_KEY),
  });
  if (!data) {
    return error ? (
      <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={48} radius="md" />
    );
  }
  return (
    <Checkbox
      label={profileTexts.showWinnersThisNetwork}
      description={profileTexts.anyoneCanOpenLanding}
      checked={change.isPending ? change.variables : data.shown}
      disabled={change.isPending}
      onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
    />
  );
}

const ownNoticesTexts = commonTexts.ownNotices;

/** Changes to the user's login in the last 30 days, by anyone. */
function OwnNotices() {
  const { data, error, refetch } = useOwnNotices();
  const { mutate, isPending } = useMarkOwnNotices();
  if (!data) {
    return error ? (
      <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
    ) : (
      <Skeleton height={64} radius="md" />
    );
  }
  const [newest] = data.data;
  if (!newest) return <Text c="dimmed">{ownNoticesTexts.none}</Text>;
  return (
    <>
      <Text c="dimmed" size="sm" mb="xs">
        {ownNoticesTexts.meaning}
      </Text>
      <ul className={sessionListClasses.list}>
        {data.data.map(({ _id: id, kind, by, ipAddress, createdAt, isRead }) => (
          <li key={id}>
            <div>
              <div className={sessionListClasses.device}>
                {ownNoticesTexts.kinds[kind]}
                {!isRead && (
                  <Badge variant="light" size="sm">
                    {ownNoticesTexts.unread}
                  </Badge>
                )}
              </div>
              <div className={sessionListClasses.facts}>
                <span>{ownNoticesTexts.by(by, ipAddress)}</span>
                <DateTime value={createdAt} relative />
              </div>
            </div>
          </li>
        ))}
      </ul>
      {!newest.isRead && (
        <Button
          className={sessionListClasses.others}
          variant="default"
          loading={isPending}
          onClick={() => mutate(newest.createdAt)}
        >
          {ownNoticesTexts.markRead}
        </Button>
      )}
    </>
  );
}
