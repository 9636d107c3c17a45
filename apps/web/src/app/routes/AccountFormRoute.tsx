import type { Role } from '@drawhouse/contract/primitives';
import { EditAccountPage } from '../../features/accounts/EditAccountPage.tsx';
import { CreditPage } from '../../features/credit/CreditPage.tsx';
import type { AccountAction } from '../../lib/paths.ts';

interface AccountFormRouteProps {
  action: AccountAction;
  level: Role;
  id: string;
}

/** The form about one account: its fields, or its credit. */
export function AccountFormRoute({ action, level, id }: AccountFormRouteProps) {
  if (action !== 'edit') {
    return <CreditPage kind={action === 'credittransfer' ? 'transfer' : 'adjust'} level={level} id={id} />;
  }
  // A superadmin's account has no parent, no commission and no games: nothing that this form could change.
  return level === 'superadmin' ? null : <EditAccountPage level={level} id={id} />;
}
