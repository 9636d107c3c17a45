import type { PayoutResult } from '@drawhouse/contract/credit/payouts';
import type { PendingCommission } from '@drawhouse/contract/reports/commission';
import { sumPoints } from '@drawhouse/contract/frame/primitives';
import { useForm } from '@mantine/form';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { MESSAGE_MS } from '../../../firstTexts.ts';
import { doubtOf } from '../../../lib/doubt.ts';
import { queryKeys } from '../../../lib/queryKeys.ts';
import { useFormCall } from '../../../lib/useFormCall.ts';
import type { FormCall } from '../../../lib/useFormCall.ts';
import { commonTexts } from '../../../commonTexts.ts';
import { allPending, payAll } from './payCommission.ts';

/** Whom to pay: rows as the list showed them when it was asked. */
export interface PayAsked {
  readonly rows: readonly PendingCommission[];
  /** Where the list matches more than these: what it is narrowed by, and how many there are. */
  readonly rest?: { readonly query: Readonly<Record<string, string>>; readonly total: number };
}

/** A payment of commission, from its question to its answer. */
export interface Payment {
  /** Whether the accounts on the page are paid, or all that match. */
  scope: 'page' | 'all';
  setScope: (scope: 'page' | 'all') => void;
  /** Who is paid; undefined while all that match are awaited. */
  rows: readonly PendingCommission[] | undefined;
  /** What they are paid together, in points. */
  sum: number;
  /** Why it is not known who all that match are. */
  problem: Error | null;
  /** What came of each account so far, by its id. */
  results: ReadonlyMap<string, PayoutResult>;
  /** Null until all is done; then whether something of it had been done before. */
  repeated: boolean | null;
  form: UseFormReturnType<{ password: string }>;
  call: FormCall;
}

/** Pays commission as it was asked for: what is confirmed is what is paid, and each account is paid once, however often it is sent. */
export function usePayment({ rows: shown, rest }: PayAsked): Payment {
  const [scope, setScope] = useState<Payment['scope']>('page');
  const [results, setResults] = useState<Payment['results']>(new Map());
  const [repeated, setRepeated] = useState<boolean | null>(null);
  const told = useRef(results);
  const all = useQuery({
    queryKey: [queryKeys.reports, 'commission', 'all', rest?.query],
    queryFn: ({ signal }) => allPending(rest!.query, signal),
    enabled: scope === 'all' && repeated === null,
    // What is confirmed is what is paid: it does not change under the question.
    staleTime: Infinity,
    gcTime: 0,
  });
  const rows = scope === 'page' ? shown : all.data;
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value === '' ? commonTexts.credit.passwordRequired : null) },
  });
  const call = useFormCall(form, {
    send: ({ password }) =>
      payAll(
        rows ?? [],
        password,
        (id) => told.current.has(id),
        (news) => {
          told.current = new Map([...told.current, ...news.map((each) => [each.toUserId, each] as const)]);
          setResults(told.current);
        },
      ),
    onDone: (wasDone) => {
      setRepeated(wasDone);
      form.reset();
    },
    doubtText: (error) => doubtOf(error, commonTexts.credit),
    clearAfterMs: MESSAGE_MS.credit,
  });
  const sum = sumPoints((rows ?? []).map((row) => row.totalCommission));
  const problem = scope === 'all' ? all.error : null;
  return { scope, setScope, rows, sum, problem, results, repeated, form, call };
}
