import { sumPoints, BULK_MAX } from '@drawhouse/contract/core/primitives';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { payCommissions, type PayoutResult } from '@drawhouse/contract/credit/payouts';
import { pendingCommissions, type PendingCommission } from '@drawhouse/contract/reports/commission';
import { MESSAGE_MS } from '../../../firstTexts.ts';
import { uncertainOutcomeText } from '../../../lib/form/formErrors.ts';
import { useFormCall, type FormCall } from '../../../lib/form/useFormCall.ts';
import { commonTexts } from '../../../commonTexts.ts';
import { call } from '../../../lib/server/api.ts';
import { forgetKey, keyOfRequest } from '../../../lib/form/idempotencyKey.ts';
import { getSession } from '../../../lib/session/session.ts';

async function allPending(
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly PendingCommission[]> {
  const rows = new Map<string, PendingCommission>();
  for (let page = 1; ; page++) {
    const paged = { ...query, sort: 'username', page: String(page), pageSize: String(BULK_MAX) };
    const { data } = await call(pendingCommissions.route, { query: paged }, { signal });
    for (const row of data) rows.set(row._id, row);
    if (data.length < BULK_MAX) return [...rows.values()];
  }
}

/**
 * Pays in batches of the maximum size. Resends repeat only unanswered batches. Throws if a call is refused or
 * unanswered.
 * @returns true if part of it had been paid before
 */
async function payAll(
  rows: readonly PendingCommission[],
  password: string,
  isTold: (id: string) => boolean,
  tell: (results: readonly PayoutResult[]) => void,
): Promise<boolean> {
  const userId = getSession()?.user?._id;
  let repeated = false;
  for (let start = 0; start < rows.length; start += BULK_MAX) {
    const payouts = rows
      .slice(start, start + BULK_MAX)
      .map((row) => ({ toUserId: row._id, amount: row.totalCommission }));
    if (payouts.every(({ toUserId }) => isTold(toUserId))) continue;
    const request = JSON.stringify(['payouts', userId, payouts]);
    const { results } = await call(
      payCommissions,
      { body: { payouts, password, userId } },
      { idempotencyKey: keyOfRequest(request), onRepeated: () => void (repeated = true) },
    );
    forgetKey(request);
    tell(results);
  }
  return repeated;
}

export interface PayTarget {
  readonly rows: readonly PendingCommission[];
  readonly rest?: { readonly query: Readonly<Record<string, string>>; readonly total: number };
}

export interface Payment {
  scope: 'page' | 'all';
  setScope: (scope: 'page' | 'all') => void;
  rows: readonly PendingCommission[] | undefined;
  /** Points. */
  sum: number;
  problem: Error | null;
  results: ReadonlyMap<string, PayoutResult>;
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
  const formCall = useFormCall(form, {
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
  return { scope, setScope, rows, sum, problem, results, repeated, form, call: formCall };
}
