import type { DrawResult } from '@drawhouse/contract/draws/draws';
import { setOf } from '@drawhouse/pictures/picture-sets';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { wheelOrder } from '@drawhouse/rules/games/wheel';
import { resultName } from '@drawhouse/rules/panel/shown-result';
import { richText } from '@drawhouse/session/rich-text';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { ResultPicture, SourceSign, sourceText, type ResultGame } from '../../ui/result/DrawnResult.tsx';
import { lazyTexts } from '../lazyTexts.ts';
import { sharedText } from '../../lib/inLanguage.ts';
import { Link } from '../../lib/navigation.ts';
import { AllWinners } from '../../ui/result/AllWinners.tsx';
import { Money } from '../../ui/Figures.tsx';
import type { PlayState } from '../playState.ts';
import type { DrawPayout } from '../ownStakes.ts';
import { playTexts } from '../playTexts.ts';
import styles from './ResultMoment.module.css';
import cardStyles from './ResultCard.module.css';
import wheelDrawingStyles from './WheelDrawing.module.css';

/** Two seconds of movement, then time to read. */
const SHOWN_MS = { staked: 4500, unstaked: 3200 };

interface ResultMomentProps extends ResultCardProps {
  onOver: () => void;
}

/** Wins and losses look the same. A touch or Escape closes it. Screen readers read the result card instead. */
export function ResultMoment({ state, rules, result, payout, mine, onOver }: ResultMomentProps) {
  const close = useEffectEvent(onOver);
  const shownMs = SHOWN_MS[payout === null ? 'unstaked' : 'staked'];
  useEffect(() => {
    const timer = setTimeout(() => close(), shownMs);
    const press = ({ key }: KeyboardEvent) => key === 'Escape' && close();
    window.addEventListener('keydown', press);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('keydown', press);
    };
  }, [shownMs]);
  const words = resultWords(state, rules, result, mine);
  const isPictured = setOf(state.gameId, state.family) !== undefined;
  return (
    <button
      type="button"
      className={styles.moment}
      data-won={isGain(payout) || undefined}
      aria-label={lazyTexts.result.skip}
      tabIndex={-1}
      onClick={onOver}
    >
      {rules.family === 'roulette' && 'drawno' in result.result ? (
        <WheelDrawing rules={rules} drawno={result.result.drawno} isRolling />
      ) : isPictured ? (
        <span className={styles.card} data-set={setOf(state.gameId, state.family)}>
          <ResultPicture game={state} result={result.result} size={112} />
        </span>
      ) : null}
      {isPictured ? <span className={styles.words}>{words}</span> : <Digits text={words} />}
      {result.booster > 1 && <span className={styles.booster}>×{result.booster}</span>}
      <span className={styles.payout} data-none={payout === null || undefined}>
        {payoutText(payout)}
      </span>
    </button>
  );
}

const DIGITS = '0123456789';

/** Drawn digits roll. Names such as `K50` and `+ 28 more` do not. */
function Digits({ text }: { text: string }) {
  return (
    <span className={styles.digits}>
      {text.split(/(?<=[,·] )|(?=\+)/).map((winner) => (
        <span key={winner} className={styles.winner}>
          {winner.split(/(?<= )/).map((word) => (
            <Word key={word} text={word} isDrawn={/^\d/.test(word) && !winner.startsWith('+')} />
          ))}
        </span>
      ))}
    </span>
  );
}

function Word({ text, isDrawn }: { text: string; isDrawn: boolean }) {
  return Array.from(text, (letter, index) =>
    isDrawn && DIGITS.includes(letter) ? (
      <span key={index} className={styles.reel}>
        <span style={{ '--turn': 10 + Number(letter), '--nth': index % 4 } as object}>
          {Array.from(DIGITS + DIGITS).join('\n')}
        </span>
      </span>
    ) : (
      <span key={index}>{letter}</span>
    ),
  );
}

const texts = lazyTexts.result;

interface ResultCardProps {
  state: PlayState;
  rules: GameRules;
  result: DrawResult;
  payout: DrawPayout;
  mine: ReadonlySet<string>;
}

export function ResultCard({ state, rules, result, payout, mine }: ResultCardProps) {
  return (
    <section className={cardStyles.card} data-won={isGain(payout) || undefined} aria-label={texts.label}>
      {rules.family === 'roulette' && 'drawno' in result.result ? (
        <WheelDrawing rules={rules} drawno={result.result.drawno} />
      ) : (
        <ResultPicture game={state} result={result.result} size={72} />
      )}
      <div className={cardStyles.words}>
        <p className={cardStyles.label}>{playTexts.draw.drawnAt(result.drawsAt)}</p>
        <div aria-live="polite">
          <p className={cardStyles.text}>
            <span className={'winners' in result.result ? 'unseen' : undefined}>
              {resultWords(state, rules, result)}
            </span>
            {result.booster > 1 && <span className={cardStyles.booster}> ×{result.booster}</span>}
          </p>
          <p className={cardStyles.payout} data-won={isGain(payout) || undefined}>
            {payoutText(payout)}
          </p>
        </div>
        <AllWinners result={result.result} mine={mine} />
        <p className={cardStyles.source}>
          <SourceSign {...result} /> <span aria-hidden="true">{sourceText(result)}</span>
        </p>
        <p className={cardStyles.links}>
          {/* Another app: needs a full page load. */}
          <a href={`/fair/${result.drawId}`}>{texts.check}</a>
          {payout && payout.won > 0 && state.manualClaims === 'yes' && (
            <Link href="/mine/bets?claims=waiting">{texts.claim}</Link>
          )}
        </p>
      </div>
    </section>
  );
}

/** True if the win exceeds the stake. */
function isGain(payout: DrawPayout): boolean {
  return payout != null && payout.won > payout.staked;
}

function payoutText(payout: DrawPayout): ReactNode {
  if (payout === undefined) return null;
  if (payout === null) return texts.noStake;
  const { won, staked } = payout;
  const sums = { won: <Money points={won} />, staked: <Money points={staked} /> };
  return richText(won === 0 ? texts.lost : won > staked ? texts.won : texts.cameBack, sums);
}

/** A wheel's result includes color and parity: `17 black, odd`. Own winners come first. */
function resultWords(
  game: ResultGame,
  rules: GameRules,
  result: DrawResult,
  mine: ReadonlySet<string> = new Set(),
): string {
  const drawn = result.result;
  if ('winners' in drawn && mine.size > 0) {
    const winners = Object.fromEntries(Object.entries(drawn.winners).filter(([slot]) => mine.has(slot)));
    return sharedText(resultName(game, { winners }));
  }
  const text = sharedText(resultName(game, drawn));
  if (rules.family !== 'roulette') return text;
  const color = rules.outcomes.find(({ drawno }) => drawno === text)?.color;
  const number = Number(text);
  return `${sharedText(`${text} ${color}`)}${number === 0 ? '' : `, ${number % 2 === 0 ? texts.even : texts.odd}`}`;
}

/** Radii; the wheel is 200 wide. */
const RIM = 99;
const POCKETS = { outer: 92, inner: 62, ball: 56, text: 78 };

const round = (value: number): number => Math.round(value * 8) / 8;
const at = (radius: number, turn: number): string => {
  const angle = turn * 2 * Math.PI - Math.PI / 2;
  return `${round(100 + radius * Math.cos(angle))} ${round(100 + radius * Math.sin(angle))}`;
};

interface WheelDrawingProps {
  rules: GameRules;
  drawno: string;
  isRolling?: boolean;
}

/** Decorative: adjacent text states the number. */
function WheelDrawing({ rules, drawno, isRolling = false }: WheelDrawingProps) {
  const order = wheelOrder(rules);
  const colors = new Map(rules.outcomes.map((outcome) => [outcome.drawno, outcome.color]));
  const { length } = order;
  const { outer, inner } = POCKETS;
  const place = order.indexOf(drawno);
  const [ballX, ballY] = at(POCKETS.ball, place / length).split(' ');
  return (
    <svg
      className={wheelDrawingStyles.wheel}
      data-rolling={isRolling || undefined}
      viewBox="0 0 200 200"
      aria-hidden="true"
    >
      <circle className={wheelDrawingStyles.rim} cx="100" cy="100" r={RIM} />
      {order.map((number, index) => {
        const [from, to] = [(index - 0.5) / length, (index + 0.5) / length];
        const outerArc = `M${at(outer, from)}A${outer} ${outer} 0 0 1 ${at(outer, to)}`;
        const innerArc = `L${at(inner, to)}A${inner} ${inner} 0 0 0 ${at(inner, from)}`;
        const [x, y] = at(POCKETS.text, index / length).split(' ');
        return (
          <g key={number}>
            <path className={wheelDrawingStyles.pocket} data-color={colors.get(number)} d={`${outerArc}${innerArc}Z`} />
            <text
              className={wheelDrawingStyles.number}
              x={x}
              y={y}
              fontSize={length > 20 ? 10.5 : 15}
              transform={`rotate(${round((index * 360) / length)} ${x} ${y})`}
            >
              {number}
            </text>
          </g>
        );
      })}
      <circle className={wheelDrawingStyles.bowl} cx="100" cy="100" r={inner} />
      <path className={wheelDrawingStyles.spokes} d="M100 66v68M66 100h68M76 76l48 48M124 76l-48 48" />
      <circle className={wheelDrawingStyles.hub} cx="100" cy="100" r="13" />
      {place >= 0 && <circle className={wheelDrawingStyles.ball} cx={ballX} cy={ballY} r="5.5" />}
    </svg>
  );
}
