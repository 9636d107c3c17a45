import { useSearch } from '@tanstack/react-router';
import { AccountDetailsPage } from '../../features/accounts/AccountDetailsPage.tsx';
import { parseListSearch } from '../../lib/listSearch.ts';
import type { Level } from '../../messages.ts';
import { TOP_UP } from '../topUp.ts';

/** One account, with its children as the URL asks for them. */
export function AccountDetailsRoute({ level, id }: { level: Level; id: string }) {
  return (
    <AccountDetailsPage
      level={level}
      id={id}
      search={parseListSearch(useSearch({ from: '/$role/$' }))}
      quick={TOP_UP}
    />
  );
}
