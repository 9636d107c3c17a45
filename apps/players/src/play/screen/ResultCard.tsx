import type { DrawResult } from '@drawhouse/contract/draws/draws';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { Link } from '../../lib/navigation.ts';
import { ResultPicture, resultText, SOURCE_TEXTS, SourceSign } from '../../ui/DrawnResult.tsx';
import { AllWinners } from '../../ui/AllWinners.tsx';
import { Money } from '../../ui/Figures.tsx';
import type { PlayState } from '../playState.ts';
import type { Payout } from './usePayout.ts';
import { resultGame } from '../playState.ts';
import styles from './ResultCard.module.css';
import { wheelOrder } from '@drawhouse/rules/games/wheel';
import { playTexts } from '../playTexts.ts';
import { lazyTexts } from '../lazyTexts.ts';
import { fill } from '../../lib/playerTexts.ts';

const texts = lazyTexts.result;

interface ResultCardProps {
  state: PlayState;
  rules: GameRules;
  result: DrawResult;
  /** Null: no stake, or unknown. */
  payout: Payout | null;
}

export function ResultCard({ state, rules, result, payout }: ResultCardProps) {
  const game = resultGame(state);
  const isWheel = rules.family === 'roulette' && 'drawno' in result.result;
  return (
    <section className={styles.card} data-won={(payout && payout.won > 0) || undefined} aria-label={texts.label}>
      {isWheel && 'drawno' in result.result ? (
        <WheelDrawing rules={rules} drawno={result.result.drawno} />
      ) : (
        <ResultPicture game={game} result={result.result} size={72} />
      )}
      <div className={styles.words} aria-live="polite">
        <p className={styles.label}>{playTexts.draw.number(result.number)}</p>
        <p className={styles.text}>
          {resultText(game, result)}
          {result.booster > 1 && <span className={styles.booster}> ×{result.booster}</span>}
        </p>
        <AllWinners game={game} result={result.result} />
        {payout && <PayoutLine payout={payout} isManual={state.manualClaims === 'yes'} />}
        <p className={styles.source}>
          <SourceSign source={result.source} /> <span aria-hidden="true">{SOURCE_TEXTS[result.source]}</span>
        </p>
        {/* Separate app, so a full page load. */}
        <a href={`/fair/${result.drawId}`}>{texts.check}</a>
      </div>
    </section>
  );
}

function PayoutLine({ payout: { staked, won }, isManual }: { payout: Payout; isManual: boolean }) {
  if (won === 0) return <p>{fill(texts.lost, { staked: <Money points={staked} /> })}</p>;
  return (
    <>
      <p className={styles.won}>{fill(texts.won, { won: <Money points={won} isChange /> })}</p>
      <p className={styles.label}>
        {fill(texts.onStake, { staked: <Money points={staked} /> })}{' '}
        {isManual && <Link to="/mine/bets?claims=waiting">{texts.claim}</Link>}
      </p>
    </>
  );
}

/** Radii; the wheel is 200 wide. */
const RIM = 99;
const POCKETS = { outer: 92, inner: 62, ball: 56, text: 78 };

const round = (value: number): number => Math.round(value * 8) / 8;
const at = (radius: number, turn: number): string => {
  const angle = turn * 2 * Math.PI - Math.PI / 2;
  return `${round(100 + radius * Math.cos(angle))} ${round(100 + radius * Math.sin(angle))}`;
};

/** Decorative: adjacent text states the number. */
function WheelDrawing({ rules, drawno }: { rules: GameRules; drawno: string }) {
  const order = wheelOrder(rules);
  const colors = new Map(rules.outcomes.map((outcome) => [outcome.drawno, outcome.color]));
  const { length } = order;
  const { outer, inner } = POCKETS;
  const place = order.indexOf(drawno);
  const [ballX, ballY] = at(POCKETS.ball, place / length).split(' ');
  return (
    <svg className={styles.wheel} viewBox="0 0 200 200" aria-hidden="true">
      <circle className={styles.rim} cx="100" cy="100" r={RIM} />
      {order.map((number, index) => {
        const [from, to] = [(index - 0.5) / length, (index + 0.5) / length];
        const outerArc = `M${at(outer, from)}A${outer} ${outer} 0 0 1 ${at(outer, to)}`;
        const innerArc = `L${at(inner, to)}A${inner} ${inner} 0 0 0 ${at(inner, from)}`;
        const [x, y] = at(POCKETS.text, index / length).split(' ');
        return (
          <g key={number}>
            <path className={styles.pocket} data-color={colors.get(number)} d={`${outerArc}${innerArc}Z`} />
            <text
              className={styles.number}
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
      <circle className={styles.bowl} cx="100" cy="100" r={inner} />
      <path className={styles.spokes} d="M100 66v68M66 100h68M76 76l48 48M124 76l-48 48" />
      <circle className={styles.hub} cx="100" cy="100" r="13" />
      {place >= 0 && <circle className={styles.ball} cx={ballX} cy={ballY} r="5.5" />}
    </svg>
  );
}
