import { ServerNotices } from '../../features/notices/ServerNotices.tsx';
import { WebhookCard } from '../../features/notices/WebhookCard.tsx';
import { DashboardPage } from '../../features/reports/dashboard/DashboardPage.tsx';
import { useUser } from '../../lib/useSession.ts';

/**
 * Adds warnings above the figures: backups for admins; networks and server for superadmins. Server setup and notice
 * recipients follow below.
 */
export function DashboardRoute() {
  const { role } = useUser();
  const [isSuperadmin, hasNotices] = [role === 'superadmin', role === 'superadmin' || role === 'admin'];
  return (
    <DashboardPage
      above={hasNotices && <ServerNotices when="now" />}
      beneath={
        isSuperadmin && (
          <>
            <ServerNotices when="always" />
            <WebhookCard />
          </>
        )
      }
    />
  );
}
