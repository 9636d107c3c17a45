import { betsText, countText, pointsText } from '../../lib/amounts.ts';
import { Button } from '../../ui/Button.tsx';
import { Sheet } from '../../ui/Sheet.tsx';

interface AskSheetProps {
  stake: number;
  bets: number;
  drawNumber: number;
  walletBalance: number | null;
  onPlace: () => void;
  onClose: () => void;
}

/** Asks once more before a ticket is placed that costs more than its player has set. */
export function AskSheet({ stake, bets, drawNumber, walletBalance, onPlace, onClose }: AskSheetProps) {
  return (
    <Sheet
      title={`Place ${pointsText(stake)} points?`}
      onClose={onClose}
      actions={
        <>
          <Button kind="main" onClick={onPlace}>
            Place
          </Button>
          <Button onClick={onClose}>Go back</Button>
        </>
      }
    >
      <p>
        {betsText(bets)} on draw {countText(drawNumber)}
        {walletBalance !== null && `, from a wallet of ${pointsText(walletBalance)}`}.
      </p>
      <p>
        You are asked because you have set an amount above which you want to be. It stands in the settings of the board.
      </p>
    </Sheet>
  );
}
