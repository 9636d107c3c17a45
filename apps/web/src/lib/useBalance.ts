import { loadCredit } from '@drawhouse/contract/credit/own-credit';
import { useQuery } from '@tanstack/react-query';
import { call } from './api.ts';
import { queryKeys } from './queryKeys.ts';
import { useSession } from './useSession.ts';

/** The signed-in account's own spendable credit, the "Hierarchy Credit"; undefined until it is known. */
export function useBalance(): number | undefined {
  const session = useSession();
  return useOwnCredit()?.walletBalance ?? session?.user?.walletBalance;
}

/** What the signed-in account may still give today; null without a limit, and until it is known. */
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
