import type { ReceiptExamination, TicketReceipt } from '@drawhouse/rules/fair/tree/receipt';
import { Mark } from '../FairFrame.tsx';
import { ticketTexts } from './ticketTexts.ts';
import type { FairDraw } from '../draw/fairDraw.ts';
import classes from '../fair.module.css';
import { fairTexts } from '../fairTexts.ts';
import { richText } from '../../../lib/format/richText.ts';

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
            {fairTexts.ticketProducesItsDigest}
          </h3>
          <p>{fairTexts.sha256ThisText}</p>
          <code className={classes.long}>{text}</code>
          <Compared one={fairTexts.sha256Text} computed={digest.computed} other="Digest" given={receipt.digest} />
        </li>
        {steps && (
          <li>
            <h3>
              <Mark is={root === draw.ticketRoot ? 'right' : draw.ticketRoot === null ? 'none' : 'wrong'} />
              {fairTexts.pathLeadsRoot}
            </h3>
            <p>{fairTexts.sha256Byte0}</p>
            <ol className={classes.blocks}>
              <li>
                <span className={classes.name}>{fairTexts.leaf}</span>
                <code className={classes.long}>{leaf}</code>
              </li>
              {steps.map(({ sibling, isLeft, parent }) => (
                <li key={parent}>
                  <span className={classes.name}>
                    {richText(fairTexts.withOn, { sibling, value: isLeft ? 'left' : 'right' })}
                  </span>
                  <code className={classes.long}>{parent}</code>
                </li>
              ))}
            </ol>
            <Compared
              one={fairTexts.endPath}
              computed={root ?? '–'}
              other={fairTexts.rootDraw}
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
