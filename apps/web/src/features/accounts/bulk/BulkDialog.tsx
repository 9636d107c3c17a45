import type { Account } from '@drawhouse/contract/accounts/accounts';
import { BULK_MAX } from '@drawhouse/contract/core/primitives';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { commonTexts, type Level } from '../../../commonTexts.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { reloadAccounts } from '../accountQueries.ts';
import { counted, type BulkAct, type BulkTarget } from './bulkValues.ts';
import { CreditOfMany } from './CreditOfMany.tsx';
import { LimitOfMany } from './LimitOfMany.tsx';
import { StatusOfMany } from './StatusOfMany.tsx';
import { bulkTexts } from './bulkTexts.ts';

interface BulkDialogProps {
  level: Level;
  target: BulkTarget | null;
  onDone: (accounts: readonly Account[]) => void;
  onClose: () => void;
}

const BULK_TITLES: Readonly<Record<BulkAct, string>> = {
  transfer: bulkTexts.transferCredit,
  takeBack: bulkTexts.takeBackCredit,
  activate: commonTexts.accounts.toggle.activate.title,
  deactivate: commonTexts.accounts.toggle.deactivate.title,
  limit: bulkTexts.setLimit,
};

export function BulkDialog({ level, target, onDone, onClose }: BulkDialogProps) {
  const [shown, setShown] = useState<BulkTarget | null>(null);
  const [isBusy, setBusy] = useState(false);
  // While the dialog fades out.
  if (target && target !== shown) setShown(target);
  if (!shown) return null;
  const { act, accounts } = shown;
  const props = {
    ...shown,
    level,
    setBusy,
    onClose,
    onDone: () => {
      onDone(accounts);
      onClose();
      void reloadAccounts();
    },
  };
  const key = `${act} ${accounts.map(({ _id }) => _id).join(' ')}`;
  return (
    <Dialog opened={target !== null} onClose={() => isBusy || onClose()} title={BULK_TITLES[act]} size="lg">
      {accounts.length > BULK_MAX ? (
        <TooMany count={accounts.length} onClose={onClose} />
      ) : act === 'transfer' || act === 'takeBack' ? (
        <CreditOfMany key={key} {...props} act={act} />
      ) : act === 'limit' ? (
        <LimitOfMany key={key} {...props} />
      ) : (
        <StatusOfMany key={key} {...props} act={act} />
      )}
    </Dialog>
  );
}

function TooMany({ count, onClose }: { count: number; onClose: () => void }) {
  return (
    <>
      <Text>{bulkTexts.tooMany(counted(count, 'account'), BULK_MAX)}</Text>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose} data-autofocus>
          {bulkTexts.close}
        </Button>
      </Group>
    </>
  );
}
