import { may } from '../../../lib/session/rights.ts';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import { figures } from '@drawhouse/contract/reports/turnover';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { callQuery, errorMessage } from '../../../lib/server/api.ts';
import { instantsOf, periodDays, useToday, type PeriodId } from '../../../lib/format/periods.ts';
import { FailureText } from '../../../lib/RequestId.tsx';
import { commonTexts, type Level } from '../../../commonTexts.ts';
import { DateTime } from '../../../ui/mark/DateTime.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import classes from './AccountCards.module.css';
import { accountDetailsTexts } from '../accountsTexts.ts';

const texts = commonTexts.accounts.details;
/** The 7 days until yesterday. */
const LAST_WEEK: PeriodId = 4;
/** Days since Sunday. */
const THIS_WEEK: PeriodId = 5;

export function AccountCards({ level, account }: { level: Level; account: Account }) {
  return (
    <div className={classes.cards}>
      <Card
        title={texts.role}
        facts={[
          [texts.roleName, commonTexts.accounts.titles[level]],
          [texts.username, account.username],
          [texts.name, <code key="id">{account.uniqueId}</code>],
          level === 'user' && [
            commonTexts.accounts.lastLogin,
            <DateTime key="at" value={account.lastLogin} relative />,
          ],
        ]}
      />
      <Card
        title={texts.credit}
        facts={[
          [texts.wallet, <Points key="wallet" value={account.walletBalance} />],
          [texts.commission, <Points key="commission" value={account.commissionPoint} />],
          level !== 'user' && [texts.dailyLimit, <DailyLimit key="limit" limit={account.dailyLimit} />],
        ]}
      />
      {may('reports') && (
        <>
          <WeekCard title={texts.lastWeek} period={LAST_WEEK} id={account._id} />
          <WeekCard title={texts.thisWeek} period={THIS_WEEK} id={account._id} />
        </>
      )}
    </div>
  );
}

function DailyLimit({ limit }: { limit: number | null }) {
  return limit === null ? <span className={classes.none}>{texts.noLimit}</span> : <Points value={limit} />;
}

function WeekCard({ title, period, id }: { title: string; period: PeriodId; id: string }) {
  const today = useToday();
  const { data, error, refetch } = useQuery(
    callQuery(['reports', 'figures', id, period, today], figures, {
      query: { id, ...instantsOf(periodDays(period, today)) },
    }),
  );
  if (error && !data) {
    return (
      <section className={classes.card}>
        <h2 className={classes.title}>{title}</h2>
        <p className={classes.problem} role="alert">
          <FailureText message={errorMessage(error)} />{' '}
          <button type="button" className={classes.again} onClick={() => void refetch()}>
            {accountDetailsTexts.tryAgain}
          </button>
        </p>
      </section>
    );
  }
  const shown = (value: number | undefined) =>
    value === undefined ? <Skeleton height={12} width={72} ml="auto" /> : <Points value={value} />;
  return (
    <Card
      title={title}
      facts={[
        [texts.played, shown(data?.data.playPoints)],
        [texts.won, shown(data?.data.winPoints)],
        [texts.end, shown(data?.data.endPoints)],
      ]}
    />
  );
}

type Fact = readonly [name: string, value: ReactNode];

function Card({ title, facts }: { title: string; facts: readonly (Fact | false)[] }) {
  return (
    <section className={classes.card}>
      <h2 className={classes.title}>{title}</h2>
      <dl className={classes.facts}>
        {facts
          .filter((fact) => fact !== false)
          .map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
      </dl>
    </section>
  );
}

const CARDS = [1, 2, 3, 4];

export function AccountCardsSkeleton() {
  return (
    <div className={classes.cards} aria-hidden>
      {CARDS.map((card) => (
        <div key={card} className={classes.card}>
          <Skeleton height={14} width={96} mb={12} />
          <Skeleton height={12} mb={12} />
          <Skeleton height={12} mb={12} />
          <Skeleton height={12} />
        </div>
      ))}
    </div>
  );
}
