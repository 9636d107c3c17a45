import { useParams, useSearch } from '@tanstack/react-router';
import { AccountListPage } from '../../features/accounts/AccountListPage.tsx';
import { parseListSearch } from '../../lib/listSearch.ts';
import { useUser } from '../../lib/useSession.ts';
import { PlannedPage } from '../PlannedPage.tsx';
import { findStaffPage } from '../staffPages.ts';

/** The page of a base: the list of a level, or a word about a page to come. */
export function BaseRoute() {
  const { base } = useParams({ from: '/$role/$base' });
  const search = useSearch({ from: '/$role/$base' });
  const page = findStaffPage(useUser().role, base);
  if (!page) return null;
  if (page.level) return <AccountListPage key={page.level} level={page.level} search={parseListSearch(search)} />;
  return <PlannedPage title={page.label} shows={page.planned ?? ''} />;
}
