import { wheelGroups, neighboursOf } from '@drawhouse/rules/games/wheel';
import type { WheelGroup } from '@drawhouse/rules/games/wheel';
import { useState } from 'react';
import type { CSSProperties } from 'react';
import { unitsOn } from '../slip/slip.ts';
import type { Slip } from '../slip/slip.ts';
import { costOf } from '../slip/slipSums.ts';
import type { BoardCell, BoardProps } from './boardCells.ts';
import { BoardGrid, GridRow } from './BoardGrid.tsx';
import { CellButton } from './CellButton.tsx';
import { lazyTexts } from '../lazyTexts.ts';
import { returnText } from '../playTexts.ts';
import styles from './WheelBoard.module.css';

const texts = lazyTexts.wheel;

/** Prefix that separates group keys from numbers. */
const GROUP = 'group ';

export function WheelBoard({ state, rules, board, slip, onTouch, onErase }: BoardProps) {
  const [withNeighbours, setWithNeighbours] = useState(false);
  const groups = wheelGroups(rules);
  const cells = board.areas[0]!.rows.flat();
  const zeros = cells.filter(({ key }) => Number(key) === 0);
  const numbers = cells.filter(({ key }) => Number(key) > 0).toSorted((a, b) => Number(a.key) - Number(b.key));
  const columns = numbers.length / 3;
  const keysOf = (cell: string): readonly string[] =>
    cell.startsWith(GROUP) ? groups.find(({ name }) => GROUP + name === cell)!.drawnos : [cell];
  const touch = (cell: string): void => {
    if (cell.startsWith(GROUP)) onTouch(cell.slice(GROUP.length), keysOf(cell));
    else if (withNeighbours) onTouch(`neighbours ${cell}`, neighboursOf(rules, cell)!);
    else onTouch(cell, [cell]);
  };
  const cellProps = { slip, unitPrice: state.unitPrice, onTouch: touch };
  const groupsOf = (kind: WheelGroup['kind']) => groups.filter((each) => each.kind === kind);
  return (
    <>
      <p className={styles.note}>{texts.returns(returnText(rules, 'straight'))}</p>
      <BoardGrid
        label={texts.label(state.gameName)}
        className={styles.table}
        onErase={(cell) => onErase(keysOf(cell))}
        style={{ '--columns': columns, '--zeros': zeros.length } as CSSProperties}
      >
        <GridRow className={styles.row}>
          {zeros.map((cell, index) => (
            <NumberCell key={cell.key} {...cellProps} cell={cell} style={{ '--z': index }} />
          ))}
        </GridRow>
        {Array.from({ length: columns }, (_, index) => (
          <GridRow key={numbers[index * 3]!.key} className={styles.row}>
            {numbers.slice(index * 3, index * 3 + 3).map((cell, place) => (
              <NumberCell key={cell.key} {...cellProps} cell={cell} style={{ '--i': index, '--k': place }} />
            ))}
          </GridRow>
        ))}
        {(['column', 'dozen'] as const).map((kind) => (
          <GridRow key={kind} className={styles.row}>
            {groupsOf(kind).map((each, index) => (
              <GroupCell key={each.name} group={each} place={index} onTouch={touch} />
            ))}
          </GridRow>
        ))}
        <GridRow className={styles.halves}>
          {groupsOf('half').map((each, index) => (
            <GroupCell key={each.name} group={each} place={index} onTouch={touch} />
          ))}
        </GridRow>
      </BoardGrid>
      <Switch label={texts.neighbors} isOn={withNeighbours} onChange={setWithNeighbours} />
    </>
  );
}

interface NumberCellProps {
  cell: BoardCell;
  slip: Slip;
  unitPrice: number;
  style: Record<string, number>;
  onTouch: (cell: string) => void;
}

function NumberCell({ cell, slip, unitPrice, style, onTouch }: NumberCellProps) {
  const units = unitsOn(slip, cell.key);
  return (
    <CellButton
      cell={cell.key}
      name={cell.name}
      units={units}
      points={costOf(units, unitPrice)}
      look={cell.outcome?.color}
      style={style}
      className={Number(cell.key) === 0 ? styles.zero : styles.number}
      onTouch={onTouch}
    >
      <span className={styles.text}>{cell.label}</span>
    </CellButton>
  );
}

function GroupCell({ group, place, onTouch }: { group: WheelGroup; place: number; onTouch: (cell: string) => void }) {
  const { name, title, kind, drawnos } = group;
  const style: Record<string, number> = { '--k': place };
  return (
    <CellButton
      cell={GROUP + name}
      name={texts.group(title, drawnos.length)}
      units={0}
      points={0}
      look={name === 'red' || name === 'black' ? name : undefined}
      style={style}
      className={styles[kind]}
      onTouch={onTouch}
    >
      {title}
    </CellButton>
  );
}

function Switch({ label, isOn, onChange }: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label className={styles.switch}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
