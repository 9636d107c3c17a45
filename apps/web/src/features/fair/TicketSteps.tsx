import type { ReceiptExamination, TicketReceipt } from '@drawhouse/rules/fair/receipt';
import { Mark } from './FairFrame.tsx';
import { ticketTexts } from './ticketTexts.ts';
import type { FairDraw } from './fairDraw.ts';
import classes from './fair.module.css';

interface TicketStepsProps {
  draw: FairDraw;
  receipt: TicketReceipt;
  examination: ReceiptExamination;
}

export function TicketSteps({ draw, receipt, examination }: TicketStepsProps) {
  const { text, digest, leaf, steps, root } = examination;
  return (
    <details className={classes.details}>
      <summary>{ticketTexts.steps}</summary>
      <ol className={classes.steps}>
        <li>
          <h3>
            <Mark is={digest.ok ? 'right' : 'wrong'} />
            The ticket produces its digest
          </h3>
          <p>The SHA-256 of this text: id, draw, stake in hundredths of a point, and the units on each bet.</p>
          <code className={classes.long}>{text}</code>
          <Compared one="SHA-256 of the text" computed={digest.computed} other="Digest" given={receipt.digest} />
        </li>
        {steps && (
          <li>
            <h3>
              <Mark is={root === draw.ticketRoot ? 'right' : draw.ticketRoot === null ? 'none' : 'wrong'} />
              The path leads to the root
            </h3>
            <p>
              The SHA-256 of a byte 0 and the digest is a leaf of the tree. Each step then takes the SHA-256 of a byte 1
              and two nodes: the current one and the next in the path, on the side given by the ticket’s position.
            </p>
            <ol className={classes.blocks}>
              <li>
                <span className={classes.name}>Leaf</span>
                <code className={classes.long}>{leaf}</code>
              </li>
              {steps.map(({ sibling, isLeft, parent }) => (
                <li key={parent}>
                  <span className={classes.name}>
                    With {sibling} on the {isLeft ? 'left' : 'right'}
                  </span>
                  <code className={classes.long}>{parent}</code>
                </li>
              ))}
            </ol>
            <Compared
              one="End of the path"
              computed={root ?? '–'}
              other="Root of the draw"
              given={draw.ticketRoot ?? '–'}
            />
          </li>
        )}
      </ol>
    </details>
  );
}

function Compared({ one, computed, other, given }: Record<'one' | 'computed' | 'other' | 'given', string>) {
  return (
    <dl className={classes.compared}>
      <dt>{one}</dt>
      <dd>
        <code className={classes.long}>{computed}</code>
      </dd>
      <dt>{other}</dt>
      <dd>
        <code className={classes.long}>{given}</code>
      </dd>
    </dl>
  );
}
