import type { GameRules } from '@drawhouse/rules/games/rules';
import { betsText } from '../../lib/amounts.ts';
import type { DrawPhase } from '../../lib/betting/drawPhase.ts';
import { pauseText } from '../../lib/betting/bettingPause.ts';
import { usePause, useProtection } from '../../lib/betting/useProtection.ts';
import { useReachable } from '@drawhouse/session/server-reach';
import { useWallet, onWalletChange } from '../../lib/betting/wallet.ts';
import { Button } from '../../ui/Button.tsx';
import type { PlayState } from '../playState.ts';
import { placementError, stakeOf } from '../slip/slipSums.ts';
import type { Slip } from '../slip/slip.ts';
import { remainingLimits } from '../slip/remainingLimits.ts';
import styles from '../PlayScreen.module.css';
import { sumPoints } from '@drawhouse/contract/core/hundredths';
import { useEffect } from 'react';
import { onReconnect } from '../../lib/server/liveConnection.ts';
import { call } from '../../lib/server/playerApi.ts';
import { routes } from '../../lib/server/playerRoutes.ts';
import { invalidate, useRetry, useQuery } from '../../lib/server/useQuery.ts';
import type { TicketLimits } from '../slip/remainingLimits.ts';
import { playTexts } from '../playTexts.ts';

const texts = playTexts.place;

interface PlaceDockProps {
  state: PlayState;
  rules: GameRules;
  phase: DrawPhase;
  slip: Slip;
  isBusy: boolean;
  onPlace: () => void;
}

export function PlaceDock({ state, rules, phase, slip, isBusy, onPlace }: PlaceDockProps) {
  const wallet = useWallet();
  const isReachable = useReachable();
  const pause = usePause();
  const { lines } = slip;
  const { unitPrice, limits } = state;
  const stake = stakeOf(lines, unitPrice);
  const remaining = remainingLimits(useTicketLimits(state));
  const walletBalance = wallet?.walletBalance ?? null;
  const bounds = { rules, unitPrice, walletBalance, perNumber: limits.perNumber, remaining };
  const obstacle = isBusy
    ? texts.isBusy
    : !isReachable
      ? texts.offline
      : pause !== null
        ? texts.paused(pauseText(pause))
        : lines.length === 0
          ? null
          : (placementError(lines, bounds) ?? closedText(phase, state));
  const isReady = lines.length > 0 && obstacle === null && phase === 'open' && state.draw !== null;
  return (
    <div className={styles.placeDock}>
      <p className={styles.placeText} aria-live="polite">
        {obstacle ?? (lines.length > 0 ? betsText(lines.length) : texts.noBets)}
        {obstacle === null && lines.length > 0 && remaining[0] && (
          <>
            <span>{remaining[0].text}</span>
            {remaining[0].shortText && <span>{remaining[0].shortText}</span>}
          </>
        )}
      </p>
      <Button kind="main" isBusy={isBusy} aria-disabled={!isReady} onClick={onPlace} className={styles.place}>
        {lines.length > 0 ? texts.actionOf(stake) : texts.action}
      </Button>
    </div>
  );
}

function closedText(phase: DrawPhase, { nextOpensAt }: PlayState): string | null {
  if (phase === 'open') return null;
  if (phase === 'closed') return texts.closed;
  return nextOpensAt === null ? texts.notOpen : texts.opensSoon;
}

const LAST_TICKETS = 500;
const NONE: TicketLimits['own'] = [];

/** Includes earlier stakes if a per-draw limit applies. */
function useTicketLimits({ gameId, draw, limits }: PlayState): TicketLimits {
  const own = useProtection().data?.limits ?? NONE;
  const isByDraw =
    limits.perPlayer !== null || own.some(({ limit, value }) => limit === 'stakePerDraw' && value !== null);
  const drawId = draw?._id;
  const name = isByDraw && drawId !== undefined ? `staked/${drawId}` : null;
  const read = useQuery(name, (signal) => readStaked(gameId, drawId ?? '', signal));
  useRetry(read);
  useEffect(() => {
    if (name === null) return;
    const readNow = () => invalidate(name);
    const stops = [onWalletChange(readNow), onReconnect(readNow)];
    return () => stops.forEach((stop) => stop());
  }, [name]);
  return { limits, own, staked: read.data ?? null };
}

async function readStaked(gameId: string, drawId: string, signal: AbortSignal): Promise<number> {
  const query = { gameId, status: 'open', pageSize: String(LAST_TICKETS) } as const;
  const { data } = await call(routes.tickets, { query }, { signal, background: true });
  return sumPoints(data.filter((ticket) => ticket.drawId === drawId).map(({ playpoints }) => playpoints));
}
