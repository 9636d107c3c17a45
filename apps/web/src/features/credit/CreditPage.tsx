import type { Role } from '@drawhouse/contract/core/primitives';
import { useQuery } from '@tanstack/react-query';
import { errorMessage } from '../../lib/server/api.ts';
import { ErrorState } from '../../ui/page/PageStates.tsx';
import { LoadingOverlay } from '../../ui/page/Loading.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { CreditForm } from './CreditForm.tsx';
import { accountQuery } from '../../lib/server/accountLookup.ts';
import { creditTitle, creditTexts, type CreditKind } from './creditTexts.ts';

interface CreditPageProps {
  level: Role;
  id: string;
}

export function CreditTransferPage(props: CreditPageProps) {
  return <CreditPage {...props} kind="transfer" />;
}

export function CreditAdjustPage(props: CreditPageProps) {
  return <CreditPage {...props} kind="adjust" />;
}

function CreditPage({ kind, level, id }: CreditPageProps & { kind: CreditKind }) {
  const { data, error, refetch } = useQuery(accountQuery(level, id));
  if (data) return <CreditForm kind={kind} target={data.data} />;
  return (
    <>
      <PageHeader title={creditTitle(kind, level)} />
      {error ? (
        <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <LoadingOverlay visible label={creditTexts.individual} />
      )}
    </>
  );
}
