import { loadCredit } from '@drawhouse/contract/credit/own-credit';
import type { AuthUser } from '@drawhouse/contract/auth/auth';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { useQuery, type QueryClient } from '@tanstack/react-query';
import { callQuery } from './api.ts';
import { queryClient } from './queryClient.ts';
import { useSession } from '../session/session.ts';

/** The user's own spendable credit ("Hierarchy Credit"); undefined while loading. */
export function useBalance(): number | undefined {
  const session = useSession();
  return useOwnCredit()?.walletBalance ?? session?.user?.walletBalance;
}

export function useLeftToday(): number | null {
  return useOwnCredit('with allowance')?.leftToday ?? null;
}

/** Credit that a superadmin gave to networks in other cells, and that is still on its way. */
export function useInTransit(): number {
  return useOwnCredit('with allowance')?.inTransit ?? 0;
}

/** The session's answer includes the balance, see {@link noteBalance}; the allowance needs a call. */
function useOwnCredit(needs: 'balance' | 'with allowance' = 'balance') {
  const session = useSession();
  const isNoted = queryClient.getQueryData(['session', session?.token]) !== undefined;
  const { data } = useQuery({
    ...callQuery(['credit', session?.user?._id], loadCredit, {}),
    enabled: session !== null && (isNoted || needs === 'with allowance'),
    refetchOnMount: needs === 'balance' || 'always',
  });
  return data?.data[0];
}

export function noteBalance(client: QueryClient, { _id, walletBalance }: AuthUser): void {
  client.setQueryData<RouteAnswer<typeof loadCredit>>(['credit', _id], (before) => ({
    success: true,
    data: [{ _id, walletBalance, leftToday: before?.data[0]?.leftToday ?? null }],
  }));
}
