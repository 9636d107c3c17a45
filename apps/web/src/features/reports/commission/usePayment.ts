import type { PayoutResult } from '@drawhouse/contract/credit/payouts';
import type { PendingCommission } from '@drawhouse/contract/reports/commission';
import { sumPoints } from '@drawhouse/contract/core/primitives';
import { useForm } from '@mantine/form';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { MESSAGE_MS } from '../../../firstTexts.ts';
import { uncertainOutcomeText } from '../../../lib/form/formErrors.ts';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import type { FormCall } from '../../../lib/form/useFormCall.ts';
import { commonTexts } from '../../../commonTexts.ts';
import { allPending, payAll } from './payCommission.ts';

export interface PayTarget {
  readonly rows: readonly PendingCommission[];
  readonly rest?: { readonly query: Readonly<Record<string, string>>; readonly total: number };
}

export interface Payment {
  scope: 'page' | 'all';
  setScope: (scope: 'page' | 'all') => void;
  /** Undefined while loading all matches. */
  rows: readonly PendingCommission[] | undefined;
  /** Points. */
  sum: number;
  problem: Error | null;
  results: ReadonlyMap<string, PayoutResult>;
  /** Null until done, then true if part of it had been paid before. */
  repeated: boolean | null;
  form: UseFormReturnType<{ password: string }>;
  call: FormCall;
}

/** Pays exactly the confirmed rows, each account once, even after resends. */
export function usePayment({ rows: shown, rest }: PayTarget): Payment {
  const [scope, setScope] = useState<Payment['scope']>('page');
  const [results, setResults] = useState<Payment['results']>(new Map());
  const [repeated, setRepeated] = useState<boolean | null>(null);
  const announced = useRef(results);
  const all = useQuery({
    queryKey: ['reports', 'commission', 'all', rest?.query],
    queryFn: ({ signal }) => allPending(rest!.query, signal),
    enabled: scope === 'all' && repeated === null,
    // The confirmed rows must not change.
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
        (id) => announced.current.has(id),
        (news) => {
          announced.current = new Map([...announced.current, ...news.map((each) => [each.toUserId, each] as const)]);
          setResults(announced.current);
        },
      ),
    onDone: (wasDone) => {
      setRepeated(wasDone);
      form.reset();
    },
    doubtText: (error) => uncertainOutcomeText(error, commonTexts.credit),
    clearAfterMs: MESSAGE_MS.credit,
  });
  const sum = sumPoints((rows ?? []).map((row) => row.totalCommission));
  const problem = scope === 'all' ? all.error : null;
  return { scope, setScope, rows, sum, problem, results, repeated, form, call };
}
