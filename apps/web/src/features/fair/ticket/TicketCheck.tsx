import { Button, FileButton, InputBase } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { fairPath } from '../../../lib/paths.ts';
import { formatPlainCount, formatStake } from '../fairFormat.ts';
import { Mark } from '../FairFrame.tsx';
import { ticketTexts } from './ticketTexts.ts';
import classes from '../fair.module.css';
import {
  examineReceipt,
  readReceipt,
  type ReceiptExamination,
  type TicketReceipt,
} from '@drawhouse/rules/fair/tree/receipt';
import { isDrawId, readTicketName, type FairDraw } from '../draw/fairDraw.ts';
import { fairTexts } from '../fairTexts.ts';
import { richText } from '@drawhouse/session/rich-text';

/** Fits a receipt with a thousand lines and the longest path. */
const MOST_BYTES = 200_000;

/** Checks the receipt without any request. */
export function TicketCheck({ draw }: { draw: FairDraw }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const finding = useMemo(() => checkTicket(text, draw), [text, draw]);
  function take(chosen: string) {
    setError(null);
    setText(chosen);
  }
  function open(file: File | null) {
    if (!file) return;
    if (file.size > MOST_BYTES) setError(ticketTexts.tooLarge);
    else void file.text().then(take);
  }
  return (
    <section aria-labelledby="ticket">
      <h2 id="ticket">{ticketTexts.title}</h2>
      <p>{draw.ticketRoot !== null ? ticketTexts.lead : ticketTexts.notYet}</p>
      <p>
        {ticketTexts.where} <code className={classes.address}>{fairTexts.apiFairTicket}</code>{' '}
        {fairTexts.andTicketNumber}
      </p>
      <div className={classes.receipt}>
        <InputBase
          component="textarea"
          multiline
          rows={5}
          label={ticketTexts.label}
          description={ticketTexts.help}
          classNames={{ description: classes.help }}
          error={error}
          value={text}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => take(event.currentTarget.value)}
        />
        <FileButton accept="application/json,.json,.txt" onChange={open}>
          {(props) => (
            <Button {...props} variant="default">
              {ticketTexts.open}
            </Button>
          )}
        </FileButton>
      </div>
      <output>{finding && <Finding draw={draw} finding={finding} />}</output>
    </section>
  );
}

function Finding({ draw, finding }: { draw: FairDraw; finding: TicketFinding }) {
  if ('unreadable' in finding) return <CheckHint title={ticketTexts.unreadable} text={finding.unreadable} />;
  if ('named' in finding) {
    const { title, text, link } = ticketTexts.named;
    return (
      <CheckHint title={title} text={text}>
        <a href={`/api/fair/ticket/${finding.named}`} target="_blank" rel="noreferrer">
          {link} {finding.named}
        </a>
      </CheckHint>
    );
  }
  if ('otherDrawId' in finding) {
    const { title, text, link } = ticketTexts.otherDraw;
    return (
      <CheckHint title={title} text={text}>
        <a href={fairPath(finding.otherDrawId)}>{link}</a>
      </CheckHint>
    );
  }
  const { receipt, examination } = finding;
  const { outcome, problems } = examination;
  const { title, text } = ticketTexts.outcome[outcome];
  const isWrong = outcome === 'wrong';
  return (
    <>
      <div
        className={classes.verdict}
        data-kind="generated"
        data-outcome={isWrong ? 'wrong' : outcome === 'in' ? 'right' : 'none'}
      >
        <h3>
          {(isWrong || outcome === 'in') && <Mark is={isWrong ? 'wrong' : 'right'} />}
          {title}
        </h3>
        <p>{text}</p>
        {problems.length > 0 && (
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        )}
        {!isWrong && (
          <dl className={classes.compared}>
            <dt>{fairTexts.ticket}</dt>
            <dd>
              {receipt.ticketId ?? receipt._id}
              {outcome === 'in' &&
                `, number ${formatPlainCount(receipt.index! + 1)} of ${formatPlainCount(receipt.size!)}`}
            </dd>
            <dt>{fairTexts.stake}</dt>
            <dd>{fairTexts.points(formatStake(receipt.stake))}</dd>
            <dt>{fairTexts.unitsOnEachBet}</dt>
            <dd>{receipt.lines.map(([key, qty]) => `${formatPlainCount(qty)} on ${key}`).join(', ')}</dd>
          </dl>
        )}
      </div>
      <TicketSteps draw={draw} receipt={receipt} examination={examination} />
    </>
  );
}

function CheckHint({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className={classes.verdict}>
      <h3>{title}</h3>
      <p>{text}</p>
      {children}
    </div>
  );
}

type TicketFinding =
  | { readonly receipt: TicketReceipt; readonly examination: ReceiptExamination }
  | { readonly named: string }
  | { readonly otherDrawId: string }
  | { readonly unreadable: string };

/** Never throws. */
function checkTicket(text: string, draw: FairDraw): TicketFinding | null {
  if (text.trim() === '') return null;
  const named = readTicketName(text);
  if (named !== null) return { named };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { unreadable: ticketTexts.noJson };
  }
  try {
    const receipt = readReceipt(json);
    const drawId = receipt.drawId.toLowerCase();
    if (isDrawId(drawId) && drawId !== draw.drawId.toLowerCase()) return { otherDrawId: drawId };
    return { receipt, examination: examineReceipt(receipt, draw) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { unreadable: error.message };
  }
}

interface TicketStepsProps {
  draw: FairDraw;
  receipt: TicketReceipt;
  examination: ReceiptExamination;
}

function TicketSteps({ draw, receipt, examination }: TicketStepsProps) {
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
          <Compared one={fairTexts.sha256Text} computed={digest.computed} other="Digest" expected={receipt.digest} />
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
              expected={draw.ticketRoot ?? '–'}
            />
          </li>
        )}
      </ol>
    </details>
  );
}

function Compared({ one, computed, other, expected }: Record<'one' | 'computed' | 'other' | 'expected', string>) {
  return (
    <dl className={classes.compared}>
      <dt>{one}</dt>
      <dd>
        <code className={classes.long}>{computed}</code>
      </dd>
      <dt>{other}</dt>
      <dd>
        <code className={classes.long}>{expected}</code>
      </dd>
    </dl>
  );
}
