import { lazy } from 'react';
import type { GameRules } from '@drawhouse/rules/games/rules';
import type { Tool } from '../chips/Chip.tsx';
import type { PlayState } from '../playState.ts';
import { removeBets } from '../slip/slip.ts';
import type { SlipEditor } from '../useSlip.ts';
import type { Board, BoardChoice, BoardProps } from './boardCells.ts';

const TileBoard = lazy(async () => ({ default: (await import('./TileBoard.tsx')).TileBoard }));
const NumberBoard = lazy(async () => ({ default: (await import('./NumberBoard.tsx')).NumberBoard }));
const WheelBoard = lazy(async () => ({ default: (await import('./wheel/WheelBoard.tsx')).WheelBoard }));

const BOARDS = { tiles: TileBoard, wheel: WheelBoard, numbers: NumberBoard, series: NumberBoard, tiers: NumberBoard };

interface PlayBoardProps {
  state: PlayState;
  rules: GameRules;
  board: Board;
  editor: SlipEditor;
  tool: Tool;
  placed: BoardProps['placed'];
  drawn: BoardProps['drawn'];
  onChoice: (choice: BoardChoice) => void;
}

export function PlayBoard({ state, rules, board, editor, tool, placed, drawn, onChoice }: PlayBoardProps) {
  const Shown = BOARDS[board.grid];
  const erase = (keys: readonly string[]) => editor.change((slip) => removeBets(slip, keys));
  return (
    <Shown
      state={state}
      rules={rules}
      board={board}
      slip={editor.slip}
      placed={placed}
      drawn={drawn}
      onTouch={(text, keys) => (tool === 'eraser' ? erase(keys) : void editor.addBets(`${text}*${tool.units}`))}
      onErase={erase}
      onChoice={(next) => onChoice({ ...board.choice, ...next })}
    />
  );
}

/** True for games with too many numbers to search. */
export function isTyped({ grid }: Board): boolean {
  return grid !== 'tiles' && grid !== 'wheel';
}
