import { loadCredit } from '@drawhouse/contract/credit/own-credit';
import { useQuery } from '@tanstack/react-query';
import { call } from './api.ts';
import { queryKeys } from './queryKeys.ts';
import { useSession } from '../session/session.ts';

/** The account's own spendable credit ("Hierarchy Credit"); undefined while loading. */
export function useBalance(): number | undefined {
  const session = useSession();
  return useOwnCredit()?.walletBalance ?? session?.user?.walletBalance;
}

/** Remaining daily credit allowance; null without a limit or while loading. */
export function useLeftToday(): number | null {
  return useOwnCredit()?.leftToday ?? null;
}

function useOwnCredit() {
  const session = useSession();
  const { data } = useQuery({
    queryKey: [queryKeys.credit, session?.user?._id],
    queryFn: ({ signal }) => call(loadCredit, {}, { signal }),
    enabled: session !== null,
  });
  return data?.data[0];
}
