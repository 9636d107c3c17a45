import { Inbox, ServerSettings } from '../../features/notices/DashboardNotices.tsx';
import { DashboardPage } from '../../features/reports/dashboard/DashboardPage.tsx';
import { useUser } from '../../lib/session/session.ts';

export function DashboardRoute() {
  const { role } = useUser();
  return (
    <DashboardPage
      above={(role === 'superadmin' || role === 'admin') && <Inbox />}
      beneath={role === 'superadmin' && <ServerSettings />}
    />
  );
}
