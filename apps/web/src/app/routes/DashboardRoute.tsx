import { Inbox, ServerSettings } from '../../features/notices/DashboardNotices.tsx';
import { useNoticesLoading } from '../../features/notices/useNotices.ts';
import { DashboardPage } from '../../features/reports/dashboard/DashboardPage.tsx';
import { may } from '../../lib/session/rights.ts';
import { useUser } from '../../lib/session/session.ts';

export function DashboardRoute() {
  const { role } = useUser();
  const hasInbox = may('notices');
  return (
    <DashboardPage
      above={hasInbox && <Inbox />}
      // The inbox would push the rest down.
      isWaiting={useNoticesLoading(hasInbox)}
      beneath={role === 'superadmin' && may('settings') && <ServerSettings />}
    />
  );
}
