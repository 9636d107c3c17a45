import { AccountListPage } from '../../features/accounts/list/AccountList.tsx';
import type { Level } from '../../commonTexts.ts';
import { TOP_UP } from '../topUp.ts';

export function AccountListRoute({ level }: { level: Level }) {
  return <AccountListPage level={level} quick={TOP_UP} />;
}
