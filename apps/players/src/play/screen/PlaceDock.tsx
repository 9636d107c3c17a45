import type { GameRules } from '@drawhouse/rules/games/rules';
import { betsText } from '../../lib/playerTexts.ts';
import type { DrawPhase } from '../../lib/betting/drawPhase.ts';
import { pauseText } from '../../lib/betting/bettingPause.ts';
import { usePause, useProtection } from '../../lib/betting/useProtection.ts';
import { useReachable } from '@drawhouse/session/server-reach';
import { useWallet } from '../../lib/betting/wallet.ts';
import { Button } from '../../ui/Button.tsx';
import type { PlayState } from '../playState.ts';
import { stakeOf } from '../slip/slipSums.ts';
import type { Slip } from '../slip/slip.ts';
import { useLazyModule } from '../../lib/useLazyModule.ts';
import type { TicketLimits } from '../slip/remainingLimits.ts';
import styles from '../PlayScreen.module.css';
import { playTexts } from '../playTexts.ts';

const texts = playTexts.place;

interface PlaceDockProps {
  state: PlayState;
  rules: GameRules;
  phase: DrawPhase;
  slip: Slip;
  staked: number | null;
  isBusy: boolean;
  onPlace: () => void;
}

export function PlaceDock({ state, rules, phase, slip, staked, isBusy, onPlace }: PlaceDockProps) {
  const wallet = useWallet();
  const isReachable = useReachable();
  const pause = usePause();
  const { lines } = slip;
  const { unitPrice, limits } = state;
  const stake = stakeOf(lines, unitPrice);
  const own = useProtection().data?.limits ?? NONE;
  const checks = useLazyModule(lines.length > 0, fetchLimits);
  const remaining = checks?.remainingLimits({ limits, own, staked }) ?? [];
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
          : (checks?.placementError(lines, bounds) ?? closedText(phase, state));
  const isReady = lines.length > 0 && checks && obstacle === null && phase === 'open' && state.draw !== null;
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

/** Lazy: first visits have no bets to check. */
export const fetchLimits = async () => import('../slip/remainingLimits.ts');

const NONE: TicketLimits['own'] = [];

function closedText(phase: DrawPhase, { nextOpensAt }: PlayState): string | null {
  if (phase === 'open') return null;
  if (phase === 'closed') return texts.closed;
  return nextOpensAt === null ? texts.notOpen : texts.opensAt(nextOpensAt);
}
