import type { GameRules } from '@drawhouse/rules/games/rules';
import { wheelOrder } from '@drawhouse/rules/games/wheel';
import styles from './WheelDrawing.module.css';

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
export function WheelDrawing({ rules, drawno, isRolling = false }: WheelDrawingProps) {
  const order = wheelOrder(rules);
  const colors = new Map(rules.outcomes.map((outcome) => [outcome.drawno, outcome.color]));
  const { length } = order;
  const { outer, inner } = POCKETS;
  const place = order.indexOf(drawno);
  const [ballX, ballY] = at(POCKETS.ball, place / length).split(' ');
  return (
    <svg className={styles.wheel} data-rolling={isRolling || undefined} viewBox="0 0 200 200" aria-hidden="true">
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
