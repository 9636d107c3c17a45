import { role as roleSchema } from '@drawhouse/contract/primitives';
import { useParams } from '@tanstack/react-router';
import { CreditPage } from '../../features/credit/CreditPage.tsx';

/** Moves credit to the account of the path. */
export function TransferRoute() {
  const { base, id } = useParams({ from: '/$role/$base/credittransfer/$id' });
  return <CreditPage key={id} kind="transfer" level={roleSchema.parse(base)} id={id} />;
}

/** Adjusts the credit of the account of the path. */
export function AdjustRoute() {
  const { base, id } = useParams({ from: '/$role/$base/creditadjust/$id' });
  return <CreditPage key={id} kind="adjust" level={roleSchema.parse(base)} id={id} />;
}
