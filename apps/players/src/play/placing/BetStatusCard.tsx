import type { GameRules } from '@drawhouse/rules/games/rules';
import { betsText, pointsText } from '../../lib/amounts.ts';
import { Link, toHeading } from '../../lib/navigation.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice, RequestLine } from '../../ui/Notice.tsx';
import { isOfProtection } from './pendingBet.ts';
import type { PendingBet } from './pendingBet.ts';
import { refusalText, lineAgain } from './betRequest.ts';

interface FateCardProps {
  bet: PendingBet;
  rules: GameRules;
  /** Refills the ticket without placing it. */
  onAgain: (lines: ReturnType<typeof lineAgain>) => void;
  onSeen: () => void;
}

export function FateCard({ bet, rules, onAgain, onSeen }: FateCardProps) {
  const { fate, stake, lines, tries } = bet;
  const seen = () => {
    onSeen();
    toHeading();
  };
  const about = `${pointsText(stake)} points on ${betsText(lines.length)}`;
  switch (fate.is) {
    case 'finding out':
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
          tone={fate.ticket?.status === 'undone' ? 'warn' : 'good'}
          isSaid
          title={fate.ticket?.status === 'undone' ? 'Placed, then undone by a restore' : 'Placed'}
          action={
            <>
              <Button kind="quiet" onClick={seen}>
                OK
              </Button>
              {fate.ticket && <Link to={`/mine/bets/${fate.ticket._id}`}>Ticket {fate.ticket.ticketId}</Link>}
            </>
          }
        >
          {about}.{fate.ticket === null && ' Its records have since been cleared.'}
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
                  onAgain(lineAgain(lines, rules));
                  seen();
                }}
              >
                Back to slip
              </Button>
              <Button kind="quiet" onClick={seen}>
                OK
              </Button>
              {isOfProtection(fate.why) && <Link to="/mine/limits">Limits and breaks</Link>}
            </>
          }
        >
          {refusalText(fate.why, lines)} Nothing was taken from your wallet for {about}.
          <RequestLine said={fate.why?.message} />
        </Notice>
      );
  }
}
