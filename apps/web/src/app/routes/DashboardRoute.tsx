import { ServerNotices } from '../../features/notices/ServerNotices.tsx';
import { WebhookCard } from '../../features/notices/WebhookCard.tsx';
import { DashboardPage } from '../../features/reports/dashboard/DashboardPage.tsx';
import { useUser } from '../../lib/useSession.ts';

/**
 * The dashboard. Above the figures an admin reads what is wrong now with its backups, a superadmin with those of its networks and with the server;
 * beneath them how the server is set up, and whether notices are sent to anybody.
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
