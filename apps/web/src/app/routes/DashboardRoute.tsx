import { DashboardPage } from '../../features/dashboard/DashboardPage.tsx';
import { useUser } from '../../lib/useSession.ts';
import { STAFF_PAGES } from '../staffPages.ts';

/** The dashboard with a card for each level that the role has a list of. */
export function DashboardRoute() {
  const { role } = useUser();
  const levels = STAFF_PAGES.flatMap((page) => (page.level && page.roles.includes(role) ? [page.level] : []));
  return <DashboardPage levels={levels} />;
}
