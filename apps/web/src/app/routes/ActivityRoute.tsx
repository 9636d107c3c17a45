import { useSearch } from '@tanstack/react-router';
import { ActivityPage } from '../../features/activity/ActivityPage.tsx';
import { parseListSearch } from '../../lib/listSearch.ts';

/** The activity log as its URL asks for it. */
export function ActivityRoute() {
  return <ActivityPage search={parseListSearch(useSearch({ from: '/$role/$' }))} />;
}
