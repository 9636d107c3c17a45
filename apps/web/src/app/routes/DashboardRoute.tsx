import { ServerNotices } from '../../features/notices/ServerNotices.tsx';
import { WebhookCard } from '../../features/notices/WebhookCard.tsx';
import { DashboardPage } from '../../features/reports/dashboard/DashboardPage.tsx';
import { useUser } from '../../lib/session/session.ts';

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
