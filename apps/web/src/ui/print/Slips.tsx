import { house } from '@drawhouse/session/house';
import classes from './Slips.module.css';

export interface Slip {
  readonly key: string;
  readonly facts: readonly { readonly name: string; readonly value: string; readonly isCode?: boolean }[];
  readonly qr?: string;
  readonly hint: string;
}

/** Slips to hand out, several a page, with lines to cut along. */
export function Slips({ slips, label }: { slips: readonly Slip[]; label: string }) {
  return (
    <ul className={classes.slips} aria-label={label}>
      {slips.map(({ key, facts, qr, hint }) => (
        <li key={key}>
          <p className={classes.network}>{house.name}</p>
          <dl>
            {facts.map(({ name, value, isCode = false }) => [
              <dt key={name}>{name}</dt>,
              <dd key={`${name} value`} data-code={isCode || undefined}>
                {value}
              </dd>,
            ])}
          </dl>
          {qr !== undefined && (
            <img className={classes.qr} src={`data:image/svg+xml,${encodeURIComponent(qr)}`} alt="" />
          )}
          <p className={classes.hint}>{hint}</p>
        </li>
      ))}
    </ul>
  );
}
