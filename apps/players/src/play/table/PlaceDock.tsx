import { betsText, pointsText } from '../../lib/amounts.ts';
import type { DrawPhase } from '../../lib/drawPhase.ts';
import { pauseText } from '../../lib/ownDay.ts';
import { usePause } from '../../lib/protectionRead.ts';
import { useReachable } from '../../lib/useReachable.ts';
import { useWallet } from '../../lib/wallet.ts';
import { Button } from '../../ui/Button.tsx';
import type { PlayState } from '../playNews.ts';
import { obstacleOf, stakeOf } from '../slip/slipSums.ts';
import type { Slip } from '../slip/slip.ts';
import { ticketRooms } from '../slip/ticketRoom.ts';
import { useTicketLimits } from '../slip/useTicketLimits.ts';
import styles from './PlaceDock.module.css';

interface PlaceDockProps {
  state: PlayState;
  phase: DrawPhase;
  slip: Slip;
  /** Whether it is being found out what became of a ticket of this game. */
  isBusy: boolean;
  onPlace: () => void;
}

/** What the ticket costs, what is in its way, and the button that places it. */
export function PlaceDock({ state, phase, slip, isBusy, onPlace }: PlaceDockProps) {
  const wallet = useWallet();
  const isReachable = useReachable();
  const pause = usePause();
  const { lines } = slip;
  const { unitPrice, limits } = state;
  const stake = stakeOf(lines, unitPrice);
  const rooms = ticketRooms(useTicketLimits(state));
  const bounds = { unitPrice, walletBalance: wallet?.walletBalance ?? null, perNumber: limits.perNumber, rooms };
  const inTheWay = isBusy
    ? 'It is being found out what became of your last ticket.'
    : !isReachable
      ? 'There is no connection. Nothing can be placed until it is back.'
      : pause !== null
        ? `${pauseText(pause)} Until then no bets are taken.`
        : lines.length === 0
          ? null
          : (obstacleOf(lines, bounds) ?? closedText(phase, state));
  const isReady = lines.length > 0 && inTheWay === null && phase === 'open' && state.draw !== null;
  return (
    <div className={styles.dock}>
      <p className={styles.words} aria-live="polite">
        {inTheWay ?? (lines.length > 0 ? betsText(lines.length) : 'Nothing laid yet')}
        {inTheWay === null && lines.length > 0 && rooms[0] && (
          <>
            <span>{rooms[0].words}</span>
            {rooms[0].short && <span>{rooms[0].short}</span>}
          </>
        )}
      </p>
      <Button kind="main" isBusy={isBusy} aria-disabled={!isReady} onClick={onPlace} className={styles.place}>
        {lines.length > 0 ? `Place ${pointsText(stake)}` : 'Place'}
      </Button>
    </div>
  );
}

function closedText(phase: DrawPhase, { nextOpensAt }: PlayState): string | null {
  if (phase === 'open') return null;
  if (phase === 'closed') return 'This draw is closed. Your ticket waits here for the next one.';
  return nextOpensAt === null ? 'This game is not open now.' : 'The next draw opens soon. Your ticket waits here.';
}
