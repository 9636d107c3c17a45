import { seriesName } from '@drawhouse/rules/games/outcome-names';
import { drawName, isClockNumber } from '@drawhouse/rules/time/draw-name';
import { richText } from '@drawhouse/session/rich-text';
import { useEffect, useState } from 'react';
import { formatFullTime, formatPlainCount, formatTime } from '../fairFormat.ts';
import { type DrawFinding, resultName } from './drawFinding.ts';
import { fairTexts, sharedText } from '../fairTexts.ts';
import { Mark } from '../FairFrame.tsx';
import type { FairDraw } from './fairDraw.ts';
import classes from '../fair.module.css';

export function DrawVerdict({ draw, finding }: { draw: FairDraw; finding: DrawFinding }) {
  const { kind, outcome, text, problems, rules } = finding;
  const name = sharedText(resultName(draw, rules));
  return (
    <>
      {draw.result !== null && (
        <p className={classes.result}>
          <strong>
            {name.split(', ').map((one, nth, all) => (
              <span key={one}>
                {one}
                {nth < all.length - 1 && ', '}
              </span>
            ))}
          </strong>
          <span>{fairTexts.boosterX(draw.booster ?? '')}</span>
        </p>
      )}
      <Winners result={draw.result} name={name} />
      <p className={classes.source} data-kind={kind}>
        {draw.outside === null || kind === 'void'
          ? fairTexts.source[kind]
          : kind === 'running'
            ? fairTexts.awaits(draw.outside)
            : fairTexts.outsideOf(draw.outside)}
      </p>
      {draw.enteredBy.length > 0 && <p>{fairTexts.enteredBy[draw.enteredBy.join(' ')]}</p>}
      {draw.corrections.map(({ at, before, after }) => (
        <p key={at}>{fairTexts.corrected(before, after, formatFullTime(at))}</p>
      ))}
      <section className={classes.verdict} data-outcome={outcome} data-kind={kind} aria-labelledby="verdict">
        <h2 id="verdict">
          {/* A declared result cannot be fully verified, so it gets no tick. */}
          {(outcome === 'wrong' || kind === 'generated') && <Mark is={outcome} />}
          {text.title}
        </h2>
        <p>{text.text}</p>
        {problems.length > 0 && (
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{sharedText(problem)}</li>
            ))}
          </ul>
        )}
        <Points title={kind === 'running' ? fairTexts.whatYouCanDo : fairTexts.whatCanBeChecked} points={text.can} />
        <Points
          title={kind === 'running' ? fairTexts.whatCanBeChecked2 : fairTexts.whatCannotBeChecked}
          points={text.cannot}
        />
      </section>
    </>
  );
}

function Winners({ result, name }: { result: unknown; name: string }) {
  const winners = (result as { winners?: unknown } | null)?.winners;
  if (typeof winners !== 'object' || winners === null) return null;
  const named = Object.entries(winners).map(
    ([group, drawno]) => [sharedText(seriesName(group)), String(drawno)] as const,
  );
  if (named.every(([group, drawno]) => name.includes(`${group} ${drawno}`))) return null;
  return (
    <ul className={classes.winners} aria-label={fairTexts.winnerEachGroup}>
      {named.map(([group, drawno]) => (
        <li key={group}>
          {group} <strong>{drawno}</strong>
        </li>
      ))}
    </ul>
  );
}

function Points({ title, points }: { title: string; points: readonly string[] }) {
  if (points.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </>
  );
}

export function DrawFacts({ draw, finding }: { draw: FairDraw; finding: DrawFinding }) {
  const isOver = finding.kind !== 'running';
  return (
    <dl className={classes.facts}>
      <dt>{richText(fairTexts.publishedWhenDrawOpened, { time: <Time value={draw.opensAt} /> })}</dt>
      <dd>
        <span className={classes.name}>{fairTexts.commitmentSha256Seed}</span>
        <Copyable value={draw.commitment} name={fairTexts.copies.commitment} />
      </dd>
      {draw.ticketRoot !== null && (
        <>
          <dt>{fairTexts.publishedWhenBettingClosed}</dt>
          <dd>
            <span className={classes.name}>
              {richText(fairTexts.rootTreeOver, {
                value:
                  draw.tickets === 1 ? fairTexts.oneTicket : fairTexts.allTickets(formatPlainCount(draw.tickets ?? 0)),
              })}
            </span>
            <Copyable value={draw.ticketRoot} name={fairTexts.rootTickets} />
            {draw.ticketsCleared && <span className={classes.name}>{fairTexts.ticketsCleared}</span>}
          </dd>
        </>
      )}
      <dt>
        {!isOver ? fairTexts.itIsDrawnAt : draw.seed === null ? fairTexts.drawTime : fairTexts.publishedWhenDrawWas}{' '}
        <Time value={draw.drawsAt} />
      </dt>
      {draw.seed !== null && (
        <dd>
          <span className={classes.name}>{fairTexts.seed32RandomBytes}</span>
          <Copyable value={draw.seed} name={fairTexts.copies.seed} />
        </dd>
      )}
      <dt>{fairTexts.idDraw}</dt>
      <dd>
        <span className={classes.name}>
          {isClockNumber(draw.number) ? drawName(draw.number) : fairTexts.drawNumber(draw.number)}
        </span>
        <Copyable value={draw.drawId} name={fairTexts.drawId} />
      </dd>
    </dl>
  );
}

function Time({ value }: { value: string }) {
  return (
    <time dateTime={value} title={formatFullTime(value)}>
      {formatTime(value)}
    </time>
  );
}

const SHOWN_MS = 1_500;

export function Copyable({ value, name }: { value: string; name: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  // Only HTTPS pages and localhost may copy.
  const clipboard = (navigator as Partial<Navigator>).clipboard;
  return (
    <span className={classes.copyable}>
      <code className={classes.long}>{value}</code>
      {clipboard && (
        <button
          type="button"
          className={classes.copy}
          aria-label={copied ? fairTexts.copiedNamed(name) : fairTexts.copyNamed(name)}
          onClick={() => void clipboard.writeText(value).then(() => setCopied(true))}
        >
          {copied ? fairTexts.copied : fairTexts.copy}
        </button>
      )}
    </span>
  );
}
