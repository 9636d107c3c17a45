import type { OwnProtection, ShownProtection } from '@drawhouse/contract/players/protection';
import { useState } from 'react';
import { ApiError, failureMessage } from '@drawhouse/session/api-client';
import { serverTexts } from '../../lib/inLanguage.ts';
import { failureText } from '../../lib/server/playerApi.ts';
import { PROTECTION } from '../../lib/betting/useProtection.ts';
import { showToast } from '../../lib/toast.ts';
import { updateCached, refetch } from '../../lib/server/useQuery.ts';

export const PROTECTION_HISTORY = 'protection/history';

type Changed = Pick<OwnProtection, 'data'> & { readonly message: string };

export function useLimitChange() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const change = async (command: () => Promise<Changed>): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    setFailure(null);
    try {
      const { data, message } = await command();
      updateCached<ShownProtection>(PROTECTION, () => data);
      refetch(PROTECTION_HISTORY);
      showToast(serverTexts.done(message));
      return true;
    } catch (error) {
      const [field] = error instanceof ApiError ? Object.values(error.fields) : [];
      setFailure(field === undefined ? failureText(error) : failureMessage(error, field));
      refetch(PROTECTION);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, failure, change };
}
