import { pendingCommissions } from '@drawhouse/contract/reports/commission';
import { choiceFilter } from '@drawhouse/contract/core/list-filters';
import { ROLE_NAMES } from '@drawhouse/contract/core/roles';
import { ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { IconCoins } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { viewOf } from '../../../lib/list/listUrl.ts';
import { prefetched } from '../../../lib/lazyParts.ts';
import { useList } from '../../../lib/list/useList.ts';
import { may } from '../../../lib/session/rights.ts';
import { useUser } from '../../../lib/session/session.ts';
import { HeadButton } from '../../../ui/page/PageHeader.tsx';
import { ListPage } from '../../../ui/page/ListPage.tsx';
import { pendingTexts } from './commissionTexts.ts';
import type { PayTarget } from './usePayment.ts';
import classes from './commission.module.css';

const usePayDialog = prefetched(() => import('./PayDialog.tsx'));

export function PendingCommissionPage() {
  const { role } = useUser();
  const list = useMemo(() => listFor(role), [role]);
  const view = useList(list, {
    name: 'pendingcommission',
    queryKey: ['reports', 'commission'],
    keptParams: ['id'],
  });
  const [asking, setAsking] = useState<{ target: PayTarget; times: number; opened: boolean } | null>(null);
  const dialog = usePayDialog(asking !== null);
  const rows = view.rows ?? [];
  const ask = (target: PayTarget) => setAsking((now) => ({ target, times: (now?.times ?? 0) + 1, opened: true }));
  const askShown = () =>
    ask({ rows, ...(view.total > rows.length && { rest: { query: viewOf(view.state), total: view.total } }) });

  return (
    <>
      <ListPage
        view={view}
        title={pendingTexts.title}
        rowsName="accounts"
        rowKey={(row) => row._id}
        rowLabel={(row) => row.username}
        actions={(row) =>
          may('adjustments')
            ? [
                {
                  id: 'pay',
                  label: pendingTexts.pay,
                  icon: IconCoins,
                  prominent: true,
                  onClick: () => ask({ rows: [row] }),
                },
              ]
            : []
        }
        action={
          may('adjustments') && (
            <HeadButton
              name={pendingTexts.payShown}
              icon={IconCoins}
              disabled={rows.length === 0 || view.loading}
              onClick={askShown}
            />
          )
        }
        empty={pendingTexts.empty}
      >
        <p className={classes.about}>{pendingTexts.about}</p>
      </ListPage>
      {dialog && asking && (
        <dialog.PayDialog
          key={asking.times}
          target={asking.target}
          opened={asking.opened}
          onClose={() => setAsking({ ...asking, opened: false })}
        />
      )}
    </>
  );
}

/** A retailer has only players below, so no filter. */
function listFor(viewer: Role): typeof pendingCommissions {
  const below = ROLES.slice(ROLES.indexOf(viewer) + 1);
  const options = Object.fromEntries(below.map((role) => [role, ROLE_NAMES[role]])) as typeof ROLE_NAMES;
  return { ...pendingCommissions, filters: below.length > 1 ? [choiceFilter('role', 'Role', options)] : [] };
}
