import type { Account } from '@drawhouse/contract/accounts/accounts';
import {
  IconLogout,
  IconPencil,
  IconPlusMinus,
  IconReceipt,
  IconSend,
  IconTrash,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react';
import { ACTION_RIGHTS, type AccountAction } from '../../../lib/paths.ts';
import { may } from '../../../lib/session/rights.ts';
import type { Permission } from '@drawhouse/contract/core/permissions';
import { commonTexts } from '../../../commonTexts.ts';
import type { RowAction } from '../../../ui/table/rows/RowActions.tsx';
import type { ConfirmedActionName } from '../accountActions.ts';

const texts = commonTexts.accounts;

export function rowActionsOf(
  account: Account,
  pathOf: (action: AccountAction) => string,
  onAsk: (action: ConfirmedActionName) => void,
): readonly RowAction[] {
  const actions: RowAction[] = [
    {
      id: 'credittransfer',
      label: commonTexts.credit.transfer,
      icon: IconSend,
      href: pathOf('credittransfer'),
      prominent: true,
    },
    {
      id: 'creditadjust',
      label: commonTexts.credit.adjust,
      icon: IconPlusMinus,
      href: pathOf('creditadjust'),
      prominent: true,
    },
    { id: 'edit', label: texts.editLabel, icon: IconPencil, href: pathOf('edit') },
    { id: 'statement', label: commonTexts.statement.title, icon: IconReceipt, href: pathOf('statement') },
    account.userStatus
      ? { id: 'toggle', label: texts.toggle.deactivate.label, icon: IconUserOff, onClick: () => onAsk('toggle') }
      : { id: 'toggle', label: texts.toggle.activate.label, icon: IconUserCheck, onClick: () => onAsk('toggle') },
  ];
  if (account.role === 'user') {
    actions.push({ id: 'logout', label: texts.forceLogout.label, icon: IconLogout, onClick: () => onAsk('logout') });
  }
  actions.push({
    id: 'remove',
    label: texts.remove.label,
    icon: IconTrash,
    danger: true,
    onClick: () => onAsk('remove'),
  });
  return actions.filter(({ id }) => may(RIGHTS[id] ?? 'accounts'));
}

/** Rights of a login; `accounts` for other acts. */
const RIGHTS: Readonly<Record<string, Permission>> = ACTION_RIGHTS;
