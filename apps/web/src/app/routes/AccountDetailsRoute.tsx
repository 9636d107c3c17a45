import { AccountDetailsPage } from '../../features/accounts/details/AccountDetailsPage.tsx';
import type { Level } from '../../commonTexts.ts';
import { lazyPart } from '../../lib/lazyParts.ts';
import { TOP_UP } from '../topUp.ts';

const Overview = lazyPart(
  async () => (await import('../../features/reports/account-overview/AccountOverview.tsx')).AccountOverview,
);

const Protection = lazyPart(
  async () => (await import('../../features/protection/PlayerProtection.tsx')).PlayerProtection,
);

const Standing = lazyPart(
  async () => (await import('../../features/standing-orders/StandingOrdersCard.tsx')).StandingOrdersCard,
);

export function AccountDetailsRoute({ level, id }: { level: Level; id: string }) {
  return (
    <AccountDetailsPage
      level={level}
      id={id}
      quick={TOP_UP}
      Protection={Protection}
      Overview={Overview}
      Standing={Standing}
    />
  );
}
