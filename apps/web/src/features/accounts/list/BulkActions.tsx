import type { Account } from '@drawhouse/contract/accounts/accounts';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconArrowDownCircle,
  IconArrowUpCircle,
  IconFileSpreadsheet,
  IconGauge,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { Permission } from '@drawhouse/contract/core/permissions';
import { useUser } from '../../../lib/session/session.ts';
import { may } from '../../../lib/session/rights.ts';
import { commonTexts, type Level } from '../../../commonTexts.ts';
import type { BulkAct } from '../bulk/bulkValues.ts';
import type { ListView } from '../../../lib/list/useList.ts';
import type { RowSelection } from '../../../ui/table/rows/useSelection.ts';
import { SelectionBar } from '../../../ui/table/rows/SelectionBar.tsx';
import { accountListTexts } from '../accountsTexts.ts';

const { toggle } = commonTexts.accounts;
const BUTTON = { size: 'xs', variant: 'default', px: 8 } as const;

const ACTS = [
  { act: 'transfer', label: accountListTexts.transfer, Icon: IconArrowDownCircle },
  { act: 'takeBack', label: accountListTexts.takeBack, Icon: IconArrowUpCircle },
  { act: 'activate', label: toggle.activate.label, Icon: IconUserCheck },
  { act: 'deactivate', label: toggle.deactivate.label, Icon: IconUserOff },
  { act: 'limit', label: accountListTexts.limit, Icon: IconGauge },
] as const satisfies readonly { act: BulkAct; label: string; Icon: unknown }[];

const RIGHTS: Partial<Record<BulkAct, Permission>> = { transfer: 'credit', takeBack: 'adjustments' };

interface BulkActionsProps {
  level: Level;
  view: ListView<Account>;
  selection: RowSelection<Account>;
  accounts: readonly Account[];
  onAsk: (act: BulkAct) => void;
}

export function BulkActions({ level, view, selection, accounts, onAsk }: BulkActionsProps) {
  const user = useUser();
  const save = useMutation({
    mutationFn: async () => (await import('./exportSelected.ts')).exportSelected(level, accounts, user),
    onError: () => notifications.show({ color: 'red', message: commonTexts.errors.somethingWentWrong }),
  });
  return (
    <SelectionBar view={view} selection={selection}>
      {ACTS.filter(({ act }) => may(RIGHTS[act] ?? 'accounts')).map(({ act, label, Icon }) => (
        <Button key={act} {...BUTTON} leftSection={<Icon size={14} aria-hidden />} onClick={() => onAsk(act)}>
          {label}
        </Button>
      ))}
      {may('exports') && (
        <Button
          {...BUTTON}
          leftSection={<IconFileSpreadsheet size={14} aria-hidden />}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          {accountListTexts.exportSelected}
        </Button>
      )}
    </SelectionBar>
  );
}
