import type { GameRules } from '@drawhouse/rules/games/rules';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { forgetBet, loadedPlacing } from '../placing/lazyPlacing.ts';
import type { Placer } from '../usePlace.ts';
import type { SlipEditor } from '../useSlip.ts';
import { playTexts } from '../playTexts.ts';
import styles from '../PlayScreen.module.css';

const SHOWN_BETS = 3;
const texts = playTexts.place;

interface DockNotesProps {
  place: Placer;
  rules: GameRules;
  editor: SlipEditor;
}

/** Covers part of the board instead of moving it. */
export function DockNotes({ place: { bets, note, forgetNote }, rules, editor }: DockNotesProps) {
  const { dropped, addBets, forgetDropped } = editor;
  const BetStatusCard = loadedPlacing()?.BetStatusCard;
  const putBack = () => {
    forgetDropped();
    if (dropped !== null) void addBets(dropped);
  };
  return (
    <div className={styles.notes}>
      {dropped !== null && (
        <Notice
          isSaid
          tone="warn"
          title={texts.slipOver}
          action={
            <>
              <Button onClick={putBack}>{texts.putBack}</Button>
              <Button kind="quiet" onClick={forgetDropped}>
                {texts.ok}
              </Button>
            </>
          }
        />
      )}
      {note !== null && (
        <Notice
          isSaid
          tone="warn"
          title={note}
          action={
            <Button kind="quiet" onClick={forgetNote}>
              {texts.ok}
            </Button>
          }
        />
      )}
      {BetStatusCard &&
        bets
          .slice(-SHOWN_BETS)
          .map((bet) => (
            <BetStatusCard
              key={bet.requestId}
              bet={bet}
              rules={rules}
              isOver={editor.slip.lines.length > 0 || bet !== bets.at(-1)}
              onAgain={editor.load}
              onSeen={() => forgetBet(bet.requestId)}
            />
          ))}
    </div>
  );
}
