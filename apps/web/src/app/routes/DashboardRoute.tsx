import { ServerNotices } from '../../features/notices/ServerNotices.tsx';
import { DashboardPage } from '../../features/reports/dashboard/DashboardPage.tsx';
import { useUser } from '../../lib/useSession.ts';

/** The dashboard, for a superadmin with what there is to know of the server: what holds up bets now above the figures, the rest beneath them. */
export function DashboardRoute() {
  const { role } = useUser();
  if (role !== 'superadmin') return <DashboardPage />;
  return <DashboardPage above={<ServerNotices passing />} beneath={<ServerNotices />} />;
}
