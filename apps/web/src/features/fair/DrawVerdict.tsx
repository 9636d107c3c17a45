import { seriesName } from '@drawhouse/rules/games/outcome-names';
import { formatPlainCount, formatFullTime, formatTime } from './fairFormat.ts';
import { resultName } from './drawFinding.ts';
import type { DrawFinding } from './drawFinding.ts';
import { Copyable } from './Copyable.tsx';
import { fairTexts } from './fairTexts.ts';
import { Mark } from './FairFrame.tsx';
import type { FairDraw } from './fairDraw.ts';
import classes from './fair.module.css';

export function DrawVerdict({ draw, finding }: { draw: FairDraw; finding: DrawFinding }) {
  const { kind, outcome, text, problems, rules } = finding;
  return (
    <>
      {draw.result !== null && (
        <p className={classes.result}>
          <strong>{resultName(draw, rules)}</strong>
          <span>Booster {draw.booster} X</span>
        </p>
      )}
      <Winners result={draw.result} name={resultName(draw, rules)} />
      <p className={classes.source} data-kind={kind}>
        {fairTexts.source[kind]}
      </p>
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
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        )}
        <Points title={kind === 'running' ? 'What you can do now' : 'What can be checked'} points={text.can} />
        <Points
          title={kind === 'running' ? 'What can be checked later' : 'What cannot be checked'}
          points={text.cannot}
        />
      </section>
    </>
  );
}

function Winners({ result, name }: { result: unknown; name: string }) {
  const winners = (result as { winners?: unknown } | null)?.winners;
  if (typeof winners !== 'object' || winners === null) return null;
  const named = Object.entries(winners).map(([group, drawno]) => [seriesName(group), String(drawno)] as const);
  if (named.every(([group, drawno]) => name.includes(`${group} ${drawno}`))) return null;
  return (
    <ul className={classes.winners} aria-label="Winner of each group">
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
      <dt>
        Published when the draw opened, <Time value={draw.opensAt} />
      </dt>
      <dd>
        <span className={classes.name}>Commitment, the SHA-256 of the seed</span>
        <Copyable value={draw.commitment} name="the commitment" />
      </dd>
      {draw.ticketRoot !== null && (
        <>
          <dt>Published when betting closed</dt>
          <dd>
            <span className={classes.name}>
              Root of the tree over{' '}
              {draw.tickets === 1 ? 'the one ticket' : `all ${formatPlainCount(draw.tickets ?? 0)} tickets`}
            </span>
            <Copyable value={draw.ticketRoot} name="the root of the tickets" />
            {draw.ticketsCleared && <span className={classes.name}>{fairTexts.ticketsCleared}</span>}
          </dd>
        </>
      )}
      <dt>
        {!isOver ? 'It is drawn at' : draw.seed === null ? 'Draw time' : 'Published when the draw was over, draw time'}{' '}
        <Time value={draw.drawsAt} />
      </dt>
      {draw.seed !== null && (
        <dd>
          <span className={classes.name}>Seed, 32 random bytes</span>
          <Copyable value={draw.seed} name="the seed" />
        </dd>
      )}
      <dt>Id of the draw</dt>
      <dd>
        <span className={classes.name}>{fairTexts.drawNumber(draw.number)}</span>
        <Copyable value={draw.drawId} name="the draw id" />
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
