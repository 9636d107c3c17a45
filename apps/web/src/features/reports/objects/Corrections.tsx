import type { DrawPage } from '@drawhouse/contract/reports/draw-page';
import type { TicketCorrection } from '@drawhouse/contract/tickets/tickets';
import { Points } from '../../../ui/mark/Points.tsx';
import { Second, Section } from './ObjectParts.tsx';
import { objectTexts as texts } from './objectTexts.ts';
import classes from './objects.module.css';

/** Of a draw, for the players below the viewer. */
export function DrawCorrections({ rows }: { rows: DrawPage['corrections'] }) {
  if (rows.length === 0) return null;
  return (
    <Section title={texts.corrections}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{texts.time}</th>
            <th scope="col">{texts.correctedTo}</th>
            <th scope="col" data-align="right">
              {texts.paidMore}
            </th>
            <th scope="col" data-align="right">
              {texts.takenBack}
            </th>
            <th scope="col" data-align="right">
              {texts.notTakenBack}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.at}>
              <td>
                <Second value={row.at} />
              </td>
              <td>
                {texts.change(row.before, row.after)}
                <span className={classes.below}>
                  {row.reason}
                  {row.by !== null && row.confirmedBy !== null && ` · ${texts.correctedBy(row.by, row.confirmedBy)}`}
                  {row.doneAt === null && ` · ${texts.underWay}`}
                </span>
              </td>
              <td data-align="right">
                <Points value={row.paid} />
              </td>
              <td data-align="right">
                <Points value={row.takenBack} />
              </td>
              <td data-align="right">
                <Points value={row.short} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

/** Of a ticket. */
export function TicketCorrections({ rows }: { rows: readonly TicketCorrection[] }) {
  const last = rows.at(-1);
  if (!last) return null;
  return (
    <Section title={texts.corrections}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{texts.time}</th>
            <th scope="col">{texts.correctedTo}</th>
            <th scope="col" data-align="right">
              {texts.ticketWins}
            </th>
            <th scope="col" data-align="right">
              {texts.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.at}>
              <td>
                <Second value={row.at} />
              </td>
              <td>
                {texts.change(row.before, row.after)}
                <span className={classes.below}>{row.reason}</span>
              </td>
              <td data-align="right">
                <Points value={row.win} />
              </td>
              <td data-align="right">
                <Points value={row.moved} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {last.paid > last.win && <p className={classes.muted}>{texts.notTakenBackOf(last.paid - last.win)}</p>}
    </Section>
  );
}
