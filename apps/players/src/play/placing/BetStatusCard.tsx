import { richText } from '@drawhouse/session/rich-text';
import type { GameRules } from '@drawhouse/rules/games/rules';
import { useEffect, useState } from 'react';
import { Link, toHeading } from '../../lib/navigation.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice, RequestLine } from '../../ui/Notice.tsx';
import { isNews, noteSeen } from './accountPlacing.ts';
import { isLimitRefusal, type PendingBet } from './pendingBet.ts';
import { refusalText, parseSentLines } from './betRequest.ts';
import { playerTexts } from '../../lib/playerTexts.ts';
import { lazyTexts } from '../lazyTexts.ts';
import styles from '../PlayScreen.module.css';

const texts = lazyTexts.status;

interface BetStatusCardProps {
  bet: PendingBet;
  rules: GameRules;
  isOver: boolean;
  onAgain: (lines: ReturnType<typeof parseSentLines>) => void;
  onSeen: () => void;
}

/** Each outcome is a separate card: one that grew would move its text. */
export function BetStatusCard({ bet, rules, isOver, onAgain, onSeen }: BetStatusCardProps) {
  const { outcome, stake, lines, tries } = bet;
  const isPlain = outcome.kind === 'placed' && outcome.ticket !== null && outcome.ticket.status !== 'undone';
  const isShown = useShownFor(isPlain, bet) && !(isPlain && isOver);
  const dismiss = () => {
    onSeen();
    toHeading();
  };
  const about = texts.about(stake, lines.length);
  if (!isShown) return null;
  switch (outcome.kind) {
    case 'pending':
      return tries === 0 ? (
        <Notice key="pending" isSaid title={texts.sending}>
          {about}.
        </Notice>
      ) : (
        <Notice key="pending" tone="warn" isSaid title={texts.checking}>
          {texts.checkingHelp(about)}
        </Notice>
      );
    case 'placed':
      return (
        <Notice
          key="placed"
          tone={outcome.ticket?.status === 'undone' ? 'warn' : 'good'}
          isSaid
          title={outcome.ticket?.status === 'undone' ? texts.undone : texts.placed}
          beside={
            <Button kind="quiet" onClick={dismiss}>
              {texts.ok}
            </Button>
          }
        >
          <p>{outcome.ticket === null ? texts.cleared(about) : `${about}.`}</p>
          {outcome.ticket && (
            <Link href={`/mine/bets/${outcome.ticket._id}`}>
              {richText(texts.ticket, { ticketId: <span className={styles.ticketId}>{outcome.ticket.ticketId}</span> })}
            </Link>
          )}
        </Notice>
      );
    case 'not placed':
      return (
        <Notice
          key="not placed"
          tone="bad"
          isSaid
          title={texts.notPlaced}
          action={
            <>
              <Button
                onClick={() => {
                  onAgain(parseSentLines(lines, rules));
                  dismiss();
                }}
              >
                {texts.toSlip}
              </Button>
              <Button kind="quiet" onClick={dismiss}>
                {texts.ok}
              </Button>
              {isLimitRefusal(outcome.refusal) && <Link href="/mine/limits">{playerTexts.limits}</Link>}
            </>
          }
        >
          {texts.nothingTaken(refusalText(outcome.refusal, lines), about)}
          <RequestLine error={outcome.refusal?.message} />
        </Notice>
      );
  }
}

/** A placed ticket needs no reaction. */
const SHOWN_MS = 10_000;

function useShownFor(isPlain: boolean, { requestId }: PendingBet): boolean {
  const [wasNews] = useState(() => !isPlain || isNews({ requestId }));
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!isPlain) return;
    const timer = setTimeout(() => {
      noteSeen({ requestId });
      setOver(true);
    }, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isPlain, requestId]);
  return wasNews && !isOver;
}
