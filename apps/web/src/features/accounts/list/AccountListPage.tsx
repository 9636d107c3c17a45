import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { roleAbove } from '@drawhouse/contract/core/primitives';
import { useQuery } from '@tanstack/react-query';
import { accountPath, addPath } from '../../../lib/paths.ts';
import { useList } from '../../../lib/list/useList.ts';
import { useUser } from '../../../lib/session/session.ts';
import { commonTexts, type Level } from '../../../commonTexts.ts';
import { AccountList } from './AccountList.tsx';
import { accountQuery } from '../../../lib/server/accountLookup.ts';
import type { QuickAction } from '../useQuickAction.tsx';

const texts = commonTexts.accounts;

interface AccountListPageProps {
  level: Level;
  quick?: QuickAction;
}

export function AccountListPage({ level, quick }: AccountListPageProps) {
  const { role } = useUser();
  const view = useList(accountLists[level], { name: `accounts-${level}`, queryKey: ['accounts', level] });
  const parentId = view.state['parentId'];
  const parent = useQuery({
    ...accountQuery(roleAbove(level) ?? 'superadmin', parentId ?? ''),
    enabled: parentId !== undefined,
  });
  return (
    <AccountList
      view={view}
      level={level}
      quick={quick}
      title={texts.titles[level]}
      pathOf={(action, row) => accountPath(role, level, action, row._id)}
      add={{ label: texts.add[level], href: addPath(role, level) }}
      {...(parent.data && { below: parent.data.data.username })}
    />
  );
}
