import {
  standingOrders,
  stateOf,
  type StandingOrder,
  type StandingOrderState,
} from '@drawhouse/contract/standing-orders/standing-orders';
import { STANDING_ORDER_NAMES } from '@drawhouse/contract/standing-orders/standing-order-texts';
import { IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import { useList } from '../../lib/list/useList.ts';
import { NameBelow, TwoLines } from '../../ui/mark/StackedText.tsx';
import { StatusBadge } from '../../ui/mark/StatusBadge.tsx';
import { ListPage } from '../../ui/page/ListPage.tsx';
import type { DataColumn } from '../../ui/table/columns/dataColumn.ts';
import type { Cells } from '../../ui/table/columns/listColumns.tsx';
import { EndOrder } from './EndOrder.tsx';
import classes from './standingOrders.module.css';
import { standingOrderTexts as texts } from './standingOrderTexts.ts';

const TONES: Readonly<Record<StandingOrderState, 'good' | 'bad' | 'warn' | 'neutral'>> = {
  active: 'good',
  skipped: 'warn',
  stopped: 'bad',
  ended: 'neutral',
};

const CELLS: Cells<StandingOrder> = {
  state: (row) => <OrderState order={row} />,
  terms: (row) => <TwoLines text={texts.terms(row)} />,
  reason: (row) => <TwoLines text={row.ended?.reason ?? row.skipped ?? ''} />,
};

const PHONE: readonly DataColumn<StandingOrder>[] = [
  {
    id: 'order',
    header: texts.kind,
    phoneOnly: true,
    cell: (row) => <NameBelow name={texts.whatOf(row)}>{row.account.username}</NameBelow>,
  },
  { id: 'phoneState', header: texts.state, phoneOnly: true, align: 'right', cell: (row) => <OrderState order={row} /> },
];

export function OrderState({ order }: { order: StandingOrder }) {
  const state = stateOf(order);
  return <StatusBadge tone={TONES[state]}>{STANDING_ORDER_NAMES.states[state]}</StatusBadge>;
}

export function StandingOrdersPage() {
  const view = useList(standingOrders, { name: 'standing-orders', queryKey: ['standingOrders', 'list'] });
  const [asked, setAsked] = useState<StandingOrder | null>(null);
  return (
    <>
      <ListPage
        view={view}
        title={texts.title}
        rowsName="standing orders"
        rowKey={(row) => row._id}
        rowLabel={texts.label}
        cells={CELLS}
        phone={PHONE}
        actions={(row) =>
          row.mayEnd ? [{ id: 'end', label: texts.endLabel, icon: IconPlayerStop, onClick: () => setAsked(row) }] : []
        }
        empty={texts.empty}
      >
        <p className={classes.about}>{texts.about}</p>
      </ListPage>
      <EndOrder order={asked} onClose={() => setAsked(null)} />
    </>
  );
}
