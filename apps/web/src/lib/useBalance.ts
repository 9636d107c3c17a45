import { loadCredit } from '@drawhouse/contract/credit';
import { useQuery } from '@tanstack/react-query';
import { call } from './api.ts';
import { queryKeys } from './queryKeys.ts';
import { useSession } from './useSession.ts';

/** The signed-in account's own spendable credit, the "Hierarchy Credit"; undefined until it is known. */
export function useBalance(): number | undefined {
  const session = useSession();
  const { data } = useQuery({
    queryKey: [queryKeys.credit, session?.user?._id],
    queryFn: ({ signal }) => call(loadCredit, {}, { signal }),
    enabled: session !== null,
  });
  return data?.data[0]?.walletBalance ?? session?.user?.walletBalance;
}
