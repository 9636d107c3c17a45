import type { PlayerTicket } from '@drawhouse/contract/tickets/tickets';
import type { ReactNode } from 'react';
import { momentText } from '../../lib/amounts.ts';
import { betsText } from '../../lib/playerTexts.ts';
import { Link } from '../../lib/navigation.ts';
import { DrawnResult } from '../../ui/result/DrawnResult.tsx';
import { noResultText, outcomeOf } from './betStates.ts';
import { betTexts as texts } from './betTexts.ts';
import styles from './BetRow.module.css';
import { Money } from '../../ui/Figures.tsx';

export function BetRow({ bet, action }: { bet: PlayerTicket; action?: ReactNode }) {
  const { ticketId, gameName, draw, lines, playpoints, winpoints, placedAt } = bet;
  const standing = outcomeOf(bet);
  return (
    <li className={styles.row} data-standing={standing}>
      <div className={styles.head}>
        <Link href={`/mine/bets/${ticketId}`} className={styles.game}>
          {gameName}
          <span className={styles.number}> {ticketId}</span>
        </Link>
        <span className={styles.standing}>{texts.outcomes[standing]}</span>
      </div>
      <p className={styles.about}>
        {texts.about({ drawn: momentText(draw.drawsAt), placed: momentText(placedAt), bets: betsText(lines.length) })}
      </p>
      <dl className={styles.sums}>
        <StakeTerm points={playpoints} />
        <BetTerm name={texts.result}>
          <TicketResult bet={bet} />
        </BetTerm>
        <WonTerm points={winpoints} otherwise={<span className={styles.none}>–</span>} />
      </dl>
      {action}
    </li>
  );
}

export function TicketResult({
  bet,
  size = 28,
}: {
  bet: Pick<PlayerTicket, 'gameId' | 'family' | 'digits' | 'draw' | 'status'>;
  size?: number;
}) {
  const { result, booster, source, outside, correctedAt } = bet.draw;
  if (result !== null && source !== null)
    return (
      <DrawnResult game={bet} drawn={{ result, booster: booster ?? 1, source, outside, correctedAt }} size={size} />
    );
  return <span className={styles.none}>{noResultText(bet)}</span>;
}

export function BetTerm({ name, children, more }: { name: string; children: ReactNode; more?: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {more}
    </div>
  );
}

export function StakeTerm({ points }: { points: number }) {
  return (
    <BetTerm name={texts.stake}>
      <Money points={points} />
    </BetTerm>
  );
}

export function WonTerm({ points, otherwise }: { points: number | null; otherwise: ReactNode }) {
  return <BetTerm name={texts.won}>{points === null ? otherwise : <Money points={points} isChange />}</BetTerm>;
}
