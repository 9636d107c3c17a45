import type { Account } from '@drawhouse/contract/accounts/accounts';
import { standingOrders, type StandingOrder } from '@drawhouse/contract/standing-orders/standing-orders';
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pagePath, withSearch } from '../../lib/paths.ts';
import { FailureText } from '../../lib/RequestId.tsx';
import { callQuery, errorMessage } from '../../lib/server/api.ts';
import { may } from '../../lib/session/rights.ts';
import { useUser } from '../../lib/session/session.ts';
import { PathLink } from '../../ui/page/PathLink.tsx';
import { EndOrder, OrderState } from './StandingOrdersPage.tsx';
import { StandingOrderDialog } from './StandingOrderDialog.tsx';
import classes from './standingOrders.module.css';
import { standingOrderTexts as texts } from './standingOrderTexts.ts';

/** Only the account directly above makes and ends them. */
export function StandingOrdersCard({ account }: { account: Account }) {
  const { _id, role } = useUser();
  const query = { accountId: account._id, state: 'active' } as const;
  const { data, error } = useQuery(callQuery(['standingOrders', query], standingOrders.route, { query }));
  const [ending, setEnding] = useState<StandingOrder | null>(null);
  const [adding, setAdding] = useState({ opened: false, times: 0 });
  const mayAdd = account.refId?._id === _id && may('adjustments');
  return (
    <section className={classes.card} aria-label={texts.ofAccount}>
      <div className={classes.head}>
        <h2 className={classes.title}>{texts.ofAccount}</h2>
        <PathLink href={withSearch(pagePath(role, 'standing'), { accountId: account._id })}>{texts.all}</PathLink>
        {mayAdd && (
          <Button
            size="xs"
            variant="default"
            onClick={() => setAdding(({ times }) => ({ opened: true, times: times + 1 }))}
          >
            {texts.add}
          </Button>
        )}
      </div>
      {error && (
        <p role="alert">
          <FailureText message={errorMessage(error)} />
        </p>
      )}
      {!data && !error && <Skeleton height={12} width="60%" />}
      {data?.data.length === 0 && <p className={classes.none}>{texts.none}</p>}
      <ul className={classes.orders}>
        {data?.data.map((order) => (
          <Order key={order._id} order={order} onEnd={() => setEnding(order)} />
        ))}
      </ul>
      <EndOrder order={ending} onClose={() => setEnding(null)} />
      <StandingOrderDialog
        key={adding.times}
        account={account}
        opened={adding.opened}
        onClose={() => setAdding(({ times }) => ({ opened: false, times }))}
      />
    </section>
  );
}

function Order({ order, onEnd }: { order: StandingOrder; onEnd: () => void }) {
  const { skipped, stoppedAt, nextAt } = order;
  const notes = [
    ...(nextAt === null ? [] : [texts.next(nextAt)]),
    ...(skipped === null ? [] : [texts.skipped(skipped)]),
    ...(stoppedAt === null ? [] : [texts.stopped(stoppedAt)]),
  ];
  return (
    <li className={classes.order}>
      <div className={classes.what}>
        <span>{texts.whatOf(order)}</span>
        {notes.length > 0 && <small>{notes.join(' · ')}</small>}
      </div>
      <OrderState order={order} />
      {order.mayEnd && (
        <Button size="xs" variant="default" onClick={onEnd} aria-label={`${texts.endLabel}: ${texts.label(order)}`}>
          {texts.endLabel}
        </Button>
      )}
    </li>
  );
}
