import type { Role } from '@drawhouse/contract/primitives';
import { EditAccountPage } from '../../features/accounts/EditAccountPage.tsx';
import { CreditPage } from '../../features/credit/CreditPage.tsx';
import { StatementPage } from '../../features/credit/StatementPage.tsx';
import type { AccountAction } from '../../lib/paths.ts';

interface AccountActionRouteProps {
  action: AccountAction;
  level: Role;
  id: string;
}

/** What is done with one account: its fields are changed, its credit moves, or its statement is read. */
export function AccountActionRoute({ action, level, id }: AccountActionRouteProps) {
  switch (action) {
    case 'edit':
      // A superadmin's account has no parent, no commission and no games: nothing that this form could change.
      return level === 'superadmin' ? null : <EditAccountPage level={level} id={id} />;
    case 'statement':
      return <StatementPage id={id} />;
    case 'credittransfer':
      return <CreditPage kind="transfer" level={level} id={id} />;
    case 'creditadjust':
      return <CreditPage kind="adjust" level={level} id={id} />;
  }
}
