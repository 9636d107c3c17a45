import type { Role } from '@drawhouse/contract/frame/primitives';
import { useQuery } from '@tanstack/react-query';
import { errorMessage } from '../../lib/api.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LoadingOverlay } from '../../ui/LoadingOverlay.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { CreditForm } from './CreditForm.tsx';
import { creditTarget } from './creditTarget.ts';
import { creditTitle } from './creditTitle.ts';
import type { CreditKind } from './creditTitle.ts';
import { creditTexts } from './creditTexts.ts';

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
  const { data, error, refetch } = useQuery(creditTarget(level, id));
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
