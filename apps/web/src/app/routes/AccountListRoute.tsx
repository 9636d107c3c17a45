import { useSearch } from '@tanstack/react-router';
import { AccountListPage } from '../../features/accounts/AccountListPage.tsx';
import { parseListSearch } from '../../lib/listSearch.ts';
import type { Level } from '../../messages.ts';
import { TOP_UP } from '../topUp.ts';

/** The accounts of one level as the URL asks for them. */
export function AccountListRoute({ level }: { level: Level }) {
  return <AccountListPage level={level} search={parseListSearch(useSearch({ from: '/$role/$' }))} quick={TOP_UP} />;
}
