import type { GameRules } from '@drawhouse/rules/games/rules';
import type { PlayState } from '../playNews.ts';
import type { Slip } from '../slip/slip.ts';
import type { Board, BoardChoice } from './boardCells.ts';

export interface BoardProps {
  readonly state: PlayState;
  readonly rules: GameRules;
  readonly board: Board;
  readonly slip: Slip;
  /** `text` places it (`7`, `red`); `keys` are affected draw numbers or bets. */
  readonly onTouch: (text: string, keys: readonly string[]) => void;
  readonly onErase: (keys: readonly string[]) => void;
  readonly onChoice: (choice: Partial<BoardChoice>) => void;
}
