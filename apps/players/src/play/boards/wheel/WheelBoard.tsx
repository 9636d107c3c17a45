import { wheelBets, type WheelBet } from '@drawhouse/rules/games/families/roulette';
import { neighboursOf } from '@drawhouse/rules/games/wheel';
import { useState, type CSSProperties } from 'react';
import { sharedText } from '../../../lib/inLanguage.ts';
import { unitsOn } from '../../slip/slip.ts';
import type { BoardCell, BoardProps } from '../boardCells.ts';
import { BoardGrid, GridRow, CellButton } from '../BoardGrid.tsx';
import { lazyTexts } from '../../lazyTexts.ts';
import { returnText } from '../../playTexts.ts';
import styles from './WheelBoard.module.css';
import { SpotChoice, WheelInsideBets } from './WheelInsideBets.tsx';

const texts = lazyTexts.wheel;

export function WheelBoard({ state, rules, board, slip, placed, drawn, onTouch, onErase }: BoardProps) {
  const [withNeighbours, setWithNeighbours] = useState(false);
  const bets = wheelBets(rules);
  const cells = board.areas[0]!.rows.flat();
  const zeros = cells.filter(({ key }) => Number(key) === 0);
  const numbers = cells.filter(({ key }) => Number(key) > 0).toSorted((a, b) => Number(a.key) - Number(b.key));
  const columns = numbers.length / 3;
  const touch = (cell: string): void => {
    const { kind, drawno } = bets.find(({ key }) => key === cell)!;
    if (kind !== 'straight') onTouch(kind === 'chance' ? drawno : `${kind} ${drawno}`, [cell]);
    else if (withNeighbours) onTouch(`neighbours ${cell}`, neighboursOf(rules, cell)!);
    else onTouch(cell, [cell]);
  };
  const cellProps = { slip, placed, drawn, unitPrice: state.unitPrice, onTouch: touch };
  const betsOf = (kind: WheelBet['kind']) => bets.filter((each) => each.kind === kind);
  const [spots, setSpots] = useState('');
  return (
    <>
      <SpotChoice rules={rules} kind={spots} onKind={setSpots} />
      <BoardGrid
        label={texts.label(state.gameName)}
        className={styles.table}
        onErase={(cell) => onErase([cell])}
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
            {betsOf(kind).map((each, index) => (
              <GroupCell key={each.key} {...cellProps} rules={rules} bet={each} place={index} />
            ))}
          </GridRow>
        ))}
        <GridRow className={styles.halves}>
          {betsOf('chance').map((each, index) => (
            <GroupCell key={each.key} {...cellProps} rules={rules} bet={each} place={index} />
          ))}
        </GridRow>
        <WheelInsideBets
          rules={rules}
          kind={spots}
          {...{ slip, placed, drawn }}
          unitPrice={state.unitPrice}
          zeros={zeros.map(({ key }) => key)}
          onTouch={touch}
        />
      </BoardGrid>
      <Switch label={texts.neighbors} isOn={withNeighbours} onChange={setWithNeighbours} />
    </>
  );
}

interface NumberCellProps extends Pick<BoardProps, 'slip' | 'placed' | 'drawn'> {
  cell: BoardCell;
  unitPrice: number;
  style: Record<string, number>;
  onTouch: (cell: string) => void;
}

function NumberCell({ cell, slip, placed, drawn, unitPrice, style, onTouch }: NumberCellProps) {
  return (
    <CellButton
      cell={cell.key}
      name={cell.name}
      units={unitsOn(slip, cell.key)}
      placed={placed.get(cell.key) ?? 0}
      isDrawn={drawn.has(cell.key)}
      unitPrice={unitPrice}
      look={cell.outcome?.color}
      style={style}
      className={Number(cell.key) === 0 ? styles.zero : styles.number}
      onTouch={onTouch}
    >
      <span className={styles.text}>{cell.label}</span>
    </CellButton>
  );
}

interface GroupCellProps extends Pick<NumberCellProps, 'slip' | 'placed' | 'drawn' | 'unitPrice' | 'onTouch'> {
  rules: BoardProps['rules'];
  bet: WheelBet;
  place: number;
}

function GroupCell({ rules, bet, place, slip, placed, drawn, unitPrice, onTouch }: GroupCellProps) {
  const { key, kind } = bet;
  const name = sharedText(bet.name);
  const style: Record<string, number> = { '--k': place };
  return (
    <CellButton
      cell={key}
      name={`${name}, ${returnText(rules, kind)}`}
      units={unitsOn(slip, key)}
      placed={placed.get(key) ?? 0}
      isDrawn={drawn.has(key)}
      unitPrice={unitPrice}
      look={key === 'red' || key === 'black' ? key : undefined}
      style={style}
      className={styles[kind]}
      onTouch={onTouch}
    >
      {name}
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
