import type { DrawPage } from '@drawhouse/contract/reports/draw-page';
import type { TicketCorrection } from '@drawhouse/contract/tickets/tickets';
import { Points } from '../../../ui/mark/Points.tsx';
import { Facts, Second, Section } from './ObjectParts.tsx';
import { objectTexts as texts } from './objectTexts.ts';
import classes from './objects.module.css';

/** Of a draw, for the players below the viewer. */
export function DrawCorrections({ rows }: { rows: DrawPage['corrections'] }) {
  if (rows.length === 0) return null;
  return (
    <Section title={texts.corrections}>
      {rows.map((row) => (
        <Facts
          key={row.at}
          facts={[
            [texts.time, <Second key="at" value={row.at} />],
            [texts.result, texts.change(row.before, row.after)],
            [texts.reason, row.reason],
            row.by !== null && row.confirmedBy !== null && [texts.madeBy, texts.correctedBy(row.by, row.confirmedBy)],
            [texts.paid, <Points key="paid" value={row.paid} inline />],
            [texts.takenBack, <Points key="taken" value={row.takenBack} inline />],
            [texts.notTakenBack, <Points key="short" value={row.short} inline />],
            row.doneAt === null && [texts.status, texts.underWay],
          ]}
        />
      ))}
    </Section>
  );
}

/** Of a ticket. */
export function TicketCorrections({ rows }: { rows: readonly TicketCorrection[] }) {
  const last = rows.at(-1);
  if (!last) return null;
  return (
    <Section title={texts.corrections}>
      {rows.map((row) => (
        <Facts
          key={row.at}
          facts={[
            [texts.time, <Second key="at" value={row.at} />],
            [texts.result, texts.change(row.before, row.after)],
            [texts.reason, row.reason],
            [row.moved < 0 ? texts.takenBack : texts.paid, <Points key="moved" value={Math.abs(row.moved)} inline />],
          ]}
        />
      ))}
      {last.paid > last.win && <p className={classes.muted}>{texts.notTakenBackOf(last.paid - last.win)}</p>}
    </Section>
  );
}
