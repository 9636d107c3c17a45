import type { CSSProperties } from 'react';
import { BoardGrid, GridRow, GridRows, CellButton } from './BoardGrid.tsx';
import type { BoardProps, BoardCell } from './boardCells.ts';
import { playTexts, returnText } from '../playTexts.ts';
import { unitsOn } from '../slip/slip.ts';
import styles from './TileBoard.module.css';
import { setOf } from '@drawhouse/pictures/picture-sets';
import { OutcomePicture } from '../../ui/result/DrawnResult.tsx';
import type { PlayState } from '../playState.ts';

/** Tiles per line on phones, for lines of equal length if possible. */
const onPhone = (inRow: number): number => (inRow <= 5 ? inRow : ([5, 4, 3].find((each) => inRow % each === 0) ?? 4));

export function TileBoard({ state, rules, board, slip, placed, drawn, onTouch, onErase }: BoardProps) {
  const cells = new Map(board.areas.flatMap(({ rows }) => rows.flat()).map((cell) => [cell.key, cell]));
  const isSaid = isWritten(state);
  return (
    <BoardGrid label={state.gameName} className={styles.board} onErase={(key) => onErase([key])}>
      {board.areas.map(({ key: area, title, head, rows }) => (
        <GridRows key={area} className={styles.area} label={title || undefined}>
          <p className={styles.note} role="presentation">
            {title === '' ? (
              playTexts.board.eachReturn(returnText(rules, head))
            ) : (
              <>
                <strong>{title}</strong> {returnText(rules, head)}
              </>
            )}
          </p>
          {rows.map((row) => (
            <GridRow
              key={row[0]!.key}
              className={styles.row}
              style={{ '--in-row': Math.min(row.length, 8), '--on-phone': onPhone(row.length) } as CSSProperties}
            >
              {row.map((cell) => {
                const picture = pictureIn(state, cell, 48, styles.picture);
                return (
                  <CellButton
                    key={cell.key}
                    cell={cell.key}
                    name={cell.name}
                    units={unitsOn(slip, cell.key)}
                    placed={placed.get(cell.key) ?? 0}
                    isDrawn={drawn.has(cell.key)}
                    unitPrice={state.unitPrice}
                    look={picture ? 'picture' : area === 'colors' ? cell.key : undefined}
                    onTouch={(key) => onTouch(cells.get(key)!.text, [key])}
                  >
                    {picture}
                    {!(picture && isSaid) && (
                      <span className={picture ? styles.small : styles.large}>{cell.label}</span>
                    )}
                  </CellButton>
                );
              })}
            </GridRow>
          ))}
        </GridRows>
      ))}
    </BoardGrid>
  );
}

/** Sets whose pictures contain the number or card. */
const WRITTEN: readonly (string | undefined)[] = ['cards', 'pingPong1', 'pingPong2'];

function isWritten({ gameId, family, outcomes }: PlayState): boolean {
  return WRITTEN.includes(setOf(gameId, family)) && outcomes.every(({ image }) => image === null);
}

function pictureIn(state: PlayState, { outcome }: BoardCell, size: number, className?: string) {
  if (!outcome) return null;
  const { gameId, family, outcomes } = state;
  const image = outcomes.find(({ drawno }) => drawno === outcome.drawno)?.image ?? null;
  if (image === null && setOf(gameId, family) === undefined) return null;
  return (
    <OutcomePicture
      gameId={gameId}
      family={family}
      {...outcome}
      image={image}
      size={size}
      className={className ?? ''}
    />
  );
}
