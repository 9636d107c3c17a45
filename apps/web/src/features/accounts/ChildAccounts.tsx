import { childLists } from '@drawhouse/contract/accounts/account-lists';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import { roleBelow } from '@drawhouse/contract/frame/primitives';
import { fromDetailsPath } from '../../lib/paths.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useList } from '../../lib/useList.ts';
import { useUser } from '../../lib/useSession.ts';
import { commonTexts } from '../../commonTexts.ts';
import type { Level } from '../../commonTexts.ts';
import { AccountList } from './AccountList.tsx';
import type { QuickAction } from './useQuickAction.tsx';
import classes from './ChildAccounts.module.css';

interface ChildAccountsProps {
  parent: Account;
  parentLevel: Exclude<Level, 'user'>;
  quick?: QuickAction | undefined;
}

/** The accounts directly below one account, with the button that adds another. */
export function ChildAccounts({ parent, parentLevel, quick }: ChildAccountsProps) {
  const level = roleBelow(parentLevel) as Level;
  const { role } = useUser();
  const view = useList(childLists[parentLevel], {
    name: `accounts-${level}`,
    queryKey: [queryKeys.accounts, level, 'children'],
    params: { id: parent._id },
  });
  return (
    <div className={classes.children}>
      <AccountList
        view={view}
        level={level}
        title={commonTexts.dashboard.cards[level]}
        section
        quick={quick}
        pathOf={(action, row) => fromDetailsPath(role, parentLevel, parent._id, action, row._id)}
        add={{
          label: commonTexts.accounts.addChild[level],
          href: fromDetailsPath(role, parentLevel, parent._id, 'create'),
        }}
      />
    </div>
  );
}
