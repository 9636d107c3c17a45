import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import type { Account } from '@drawhouse/contract/accounts/accounts';
import { call } from '../../lib/api.ts';
import { commonTexts } from '../../commonTexts.ts';

export function toggleStatus({ _id, role }: Account, action: 'activate' | 'deactivate') {
  return call(
    accountRoutes[role].toggleStatus,
    { params: { userId: _id, action } },
    { fallback: commonTexts.accounts.toggleFailed },
  );
}
