import { endStandingOrder, type StandingOrder } from '@drawhouse/contract/standing-orders/standing-orders';
import { notifications } from '@mantine/notifications';
import { useConfirmCall } from '../../lib/form/useConfirmCall.ts';
import { call } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { standingOrderTexts as texts } from './standingOrderTexts.ts';

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
