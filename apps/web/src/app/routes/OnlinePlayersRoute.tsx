import { useState } from 'react';
import type { ConfirmedAction } from '../../features/accounts/accountActions.ts';
import { OnlinePlayersPage } from '../../features/reports/online-players/OnlinePlayersPage.tsx';
import { prefetched } from '../../lib/lazyParts.ts';

const useActionDialog = prefetched(() => import('../../features/accounts/AccountActionDialog.tsx'));

export function OnlinePlayersRoute() {
  const [target, setTarget] = useState<ConfirmedAction | null>(null);
  const dialog = useActionDialog(target !== null);
  return (
    <>
      <OnlinePlayersPage onSignOut={(account) => setTarget({ action: 'logout', account })} />
      {dialog && <dialog.AccountActionDialog target={target} onClose={() => setTarget(null)} />}
    </>
  );
}
