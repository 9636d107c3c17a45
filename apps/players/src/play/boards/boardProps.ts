import type { GameRules } from '@drawhouse/rules/rules';
import type { PlayState } from '../playNews.ts';
import type { Slip } from '../slip/slip.ts';
import type { Board, BoardChoice } from './boardCells.ts';

/** What every board is given. */
export interface BoardProps {
  readonly state: PlayState;
  readonly rules: GameRules;
  readonly board: Board;
  readonly slip: Slip;
  /** A touch of a cell or a group: what lays it (`7`, `red`), and which draw numbers or bets it is on. */
  readonly onTouch: (text: string, keys: readonly string[]) => void;
  /** Takes away what is laid on these bets. */
  readonly onErase: (keys: readonly string[]) => void;
  readonly onChoice: (choice: Partial<BoardChoice>) => void;
}
