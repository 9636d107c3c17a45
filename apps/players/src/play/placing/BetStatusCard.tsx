import type { GameRules } from '@drawhouse/rules/games/rules';
import { betsText, pointsText } from '../../lib/amounts.ts';
import { Link, toHeading } from '../../lib/navigation.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice, RequestLine } from '../../ui/Notice.tsx';
import { isLimitRefusal } from './pendingBet.ts';
import type { PendingBet } from './pendingBet.ts';
import { refusalText, parseSentLines } from './betRequest.ts';

interface BetStatusCardProps {
  bet: PendingBet;
  rules: GameRules;
  /** Refills the ticket without placing it. */
  onAgain: (lines: ReturnType<typeof parseSentLines>) => void;
  onSeen: () => void;
}

export function BetStatusCard({ bet, rules, onAgain, onSeen }: BetStatusCardProps) {
  const { outcome, stake, lines, tries } = bet;
  const seen = () => {
    onSeen();
    toHeading();
  };
  const about = `${pointsText(stake)} points on ${betsText(lines.length)}`;
  switch (outcome.kind) {
    case 'pending':
      return tries === 0 ? (
        <Notice isSaid title="Placing your ticket">
          {about}.
        </Notice>
      ) : (
        <Notice tone="warn" isSaid title="Checking whether your ticket was placed">
          {about}. No answer yet. We keep asking. It can only be placed once, on its own draw.
        </Notice>
      );
    case 'placed':
      return (
        <Notice
          tone={outcome.ticket?.status === 'undone' ? 'warn' : 'good'}
          isSaid
          title={outcome.ticket?.status === 'undone' ? 'Placed, then undone by a restore' : 'Placed'}
          action={
            <>
              <Button kind="quiet" onClick={seen}>
                OK
              </Button>
              {outcome.ticket && <Link to={`/mine/bets/${outcome.ticket._id}`}>Ticket {outcome.ticket.ticketId}</Link>}
            </>
          }
        >
          {about}.{outcome.ticket === null && ' Its records have since been cleared.'}
        </Notice>
      );
    case 'not placed':
      return (
        <Notice
          tone="bad"
          isSaid
          title="Not placed"
          action={
            <>
              <Button
                onClick={() => {
                  onAgain(parseSentLines(lines, rules));
                  seen();
                }}
              >
                Back to slip
              </Button>
              <Button kind="quiet" onClick={seen}>
                OK
              </Button>
              {isLimitRefusal(outcome.refusal) && <Link to="/mine/limits">Limits and breaks</Link>}
            </>
          }
        >
          {refusalText(outcome.refusal, lines)} Nothing was taken from your wallet for {about}.
          <RequestLine said={outcome.refusal?.message} />
        </Notice>
      );
  }
}
