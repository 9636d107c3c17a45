import { useState } from 'react';
import type { ConfirmedAction } from '../../features/accounts/accountActions.ts';
import { OnlinePlayersPage } from '../../features/reports/online-players/OnlinePlayersPage.tsx';
import { prefetched } from '../../lib/lazyParts.ts';

const useActionDialog = prefetched(() => import('../../features/accounts/AccountActionDialog.tsx'));

export function OnlinePlayersRoute() {
  const [asked, setAsked] = useState<ConfirmedAction | null>(null);
  const dialog = useActionDialog(asked !== null);
  return (
    <>
      <OnlinePlayersPage onSignOut={(account) => setAsked({ action: 'logout', account })} />
      {dialog && <dialog.AccountActionDialog asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}
