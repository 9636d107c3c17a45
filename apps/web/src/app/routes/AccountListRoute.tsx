import { AccountListPage } from '../../features/accounts/AccountListPage.tsx';
import type { Level } from '../../commonTexts.ts';
import { TOP_UP } from '../topUp.ts';

/** The accounts of one level, with what is done with a row where it stands. */
export function AccountListRoute({ level }: { level: Level }) {
  return <AccountListPage level={level} quick={TOP_UP} />;
}
