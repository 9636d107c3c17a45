import { IconCoins } from '@tabler/icons-react';
import type { QuickAction } from '../features/accounts/useQuickAction.tsx';
import { commonTexts } from '../commonTexts.ts';
import { may } from '../lib/session/rights.ts';
import { lazyPart } from '../lib/lazyParts.ts';

export const TOP_UP: QuickAction = {
  id: 'topup',
  label: commonTexts.credit.topUp,
  icon: IconCoins,
  appliesTo: ({ role }) => role === 'user' && may('credit'),
  Dialog: lazyPart(async () => (await import('../features/credit/TopUpDialog.tsx')).TopUpDialog),
};
