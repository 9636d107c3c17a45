import { STANDING_ORDER_NAMES } from '@drawhouse/contract/standing-orders/standing-order-texts';
import {
  standingOrders,
  stateOf,
  type StandingOrder,
  type StandingOrderState,
  endStandingOrder,
} from '@drawhouse/contract/standing-orders/standing-orders';
import { notifications } from '@mantine/notifications';
import { IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import { useList } from '../../lib/list/useList.ts';
import { NameBelow, TwoLines } from '../../ui/mark/StackedText.tsx';
import { StatusBadge } from '../../ui/mark/StatusBadge.tsx';
import { ListPage } from '../../ui/page/ListPage.tsx';
import type { DataColumn } from '../../ui/table/columns/dataColumn.ts';
import type { Cells } from '../../ui/table/columns/listColumns.tsx';
import classes from './standingOrders.module.css';
import { standingOrderTexts as texts } from './standingOrderTexts.ts';
import { useConfirmCall } from '../../lib/form/useConfirmCall.ts';
import { call } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';

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

interface EndOrderProps {
  order: StandingOrder | null;
  onClose: () => void;
}

export function EndOrder({ order, onClose }: EndOrderProps) {
  const { shown, dialog } = useConfirmCall(order, {
    send: ({ _id: orderId }) => call(endStandingOrder, { params: { orderId } }),
    onDone: ({ message }) => {
      notifications.show({ message });
      void reload(['standingOrders']);
    },
    onClose,
  });
  return (
    <ConfirmDialog {...dialog} title={texts.endTitle} confirmLabel={texts.endLabel}>
      {shown && texts.question(shown)}
    </ConfirmDialog>
  );
}
