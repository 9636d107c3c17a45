import { reversePayment, weekPayments, type WeekPayment } from '@drawhouse/contract/weeks/week-payments';
import { notifications } from '@mantine/notifications';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useState } from 'react';
import { forgetKey, keyOfRequest } from '../../lib/form/idempotencyKey.ts';
import { useConfirmCall } from '../../lib/form/useConfirmCall.ts';
import { useList } from '../../lib/list/useList.ts';
import { call } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { useUser } from '../../lib/session/session.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { NameBelow } from '../../ui/mark/StackedText.tsx';
import { Points } from '../../ui/mark/Points.tsx';
import type { DataColumn } from '../../ui/table/columns/dataColumn.ts';
import { ListPage } from '../../ui/page/ListPage.tsx';
import classes from './weeks.module.css';
import { paymentTexts as texts } from './weeksTexts.ts';

const PHONE: readonly DataColumn<WeekPayment>[] = [
  {
    id: 'payment',
    header: texts.payment,
    phoneOnly: true,
    cell: (row) => <NameBelow name={texts.when(row.direction, row.at)}>{row.account.username}</NameBelow>,
  },
  {
    id: 'phoneAmount',
    header: texts.amount,
    phoneOnly: true,
    align: 'right',
    cell: (row) => <Points value={row.amount} />,
  },
];

export function PaymentsPage() {
  const { _id } = useUser();
  const view = useList(weekPayments, { name: 'payments', queryKey: ['reports', 'payments'] });
  const [asked, setAsked] = useState<WeekPayment | null>(null);
  const { shown, dialog } = useConfirmCall(asked, {
    send: async ({ _id: paymentId }) => {
      const request = JSON.stringify(['reverse payment', _id, paymentId]);
      const answer = await call(reversePayment, { body: { paymentId } }, { idempotencyKey: keyOfRequest(request) });
      forgetKey(request);
      return answer;
    },
    onDone: ({ message }) => {
      notifications.show({ message });
      void reload(['reports']);
    },
    onClose: () => setAsked(null),
  });
  const isReversible = (row: WeekPayment) => row.account.id !== _id && !row.isReversed && row.reverses === null;
  return (
    <>
      <ListPage
        view={view}
        title={texts.payments}
        rowsName="payments"
        rowKey={(row) => row._id}
        rowLabel={(row) => texts.label(row.account.username, row.amount)}
        actions={(row) =>
          isReversible(row)
            ? [{ id: 'reverse', label: texts.reverse, icon: IconArrowBackUp, onClick: () => setAsked(row) }]
            : []
        }
        phone={PHONE}
        empty={texts.empty}
      >
        <p className={classes.about}>{texts.about}</p>
      </ListPage>
      <ConfirmDialog {...dialog} title={texts.reverseTitle} confirmLabel={texts.reverse}>
        {shown && texts.question(shown.account.username, shown.amount)}
      </ConfirmDialog>
    </>
  );
}
