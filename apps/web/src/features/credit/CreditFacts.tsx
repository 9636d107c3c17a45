import type { DistantAdmin } from '@drawhouse/contract/credit/own-credit';
import { formatDateTime, formatPoints } from '../../lib/format/format.ts';
import { Points } from '../../ui/mark/Points.tsx';
import type { BalanceChange, CreditPreview, CreditTarget } from './creditFormValues.ts';
import classes from './credit.module.css';
import { creditTexts } from './creditTexts.ts';
import { Alert } from '@mantine/core';

interface CreditFactsProps {
  target: CreditTarget;
  caller: string;
  self: boolean;
  preview: CreditPreview;
  isFrozen: boolean;
}

export function CreditFacts({ target, caller, self, preview, isFrozen }: CreditFactsProps) {
  return (
    <table className={classes.facts}>
      {isFrozen && <caption>{creditTexts.asBefore}</caption>}
      <thead>
        <tr>
          <th scope="col">
            <span className="unseen">{creditTexts.balance}</span>
          </th>
          <th scope="col">{creditTexts.before}</th>
          <th scope="col">{creditTexts.after}</th>
        </tr>
      </thead>
      <tbody>
        {preview.individual && <Row name={creditTexts.individual} of={target.username} change={preview.individual} />}
        {!self && preview.hierarchy && <Row name={creditTexts.hierarchy} of={caller} change={preview.hierarchy} />}
      </tbody>
    </table>
  );
}

function Row({ name, of, change }: { name: string; of: string; change: BalanceChange }) {
  const changed = change.before !== change.after;
  return (
    <tr>
      <th scope="row">
        {name}
        <span className={classes.owner}>{of}</span>
      </th>
      <td>
        <Points value={change.before} />
      </td>
      <td data-changed={changed || undefined} aria-label={`${name} after: ${formatPoints(change.after)}`}>
        <Points value={change.after} />
      </td>
    </tr>
  );
}

const texts = creditTexts;

export function InactiveTarget({ target }: { target: CreditTarget }) {
  if (target.userStatus && !target.inactiveAbove) return null;
  return (
    <Alert color="yellow" variant="light">
      {target.inactiveAbove ? texts.inactiveAbove(target.inactiveAbove.username) : texts.inactive}
    </Alert>
  );
}

/** Its cell does not answer, so this cell shows what it knows. */
export function SilentCell({ admin }: { admin: DistantAdmin }) {
  const { cell, canSend, last, inTransit } = admin;
  return (
    <Alert color="yellow" variant="light">
      {canSend ? texts.silentCell(cell) : texts.silentDirectory(cell)}{' '}
      {last !== null && texts.lastBalance(formatPoints(last.balance), formatDateTime(last.at))}{' '}
      {inTransit > 0 && texts.onItsWay(formatPoints(inTransit))}
    </Alert>
  );
}
