import { AccountDetailsPage } from '../../features/accounts/AccountDetailsPage.tsx';
import type { Level } from '../../messages.ts';
import { TOP_UP } from '../topUp.ts';

/** One account, with what is done with it, or with one of its children, without leaving the page. */
export function AccountDetailsRoute({ level, id }: { level: Level; id: string }) {
  return <AccountDetailsPage level={level} id={id} quick={TOP_UP} />;
}
