import { useState, type CSSProperties } from 'react';
import { sharedText } from '../../lib/inLanguage.ts';
import { useLazyModule } from '../../lib/useLazyModule.ts';
import { unitsOn } from '../slip/slip.ts';
import { Choices, PageChoice } from './Choices.tsx';
import { BoardGrid, GridRow, CellButton } from './BoardGrid.tsx';
import type { BoardProps } from './boardCells.ts';
import { playTexts, returnText } from '../playTexts.ts';
import styles from './NumberBoard.module.css';

// One chunk, because typed boards need both.
export { Keypad } from '../keypad/Keypad.tsx';

const texts = playTexts.board;

const fetchHint = async () => (await import('../gameTexts.ts')).betHint;

export function NumberBoard({ state, rules, board, slip, placed, drawn, onTouch, onErase, onChoice }: BoardProps) {
  const [hasChosen, setChosen] = useState(false);
  const hint = useLazyModule(hasChosen, fetchHint)?.(rules, board.choice.head);
  const [area] = board.areas;
  const { choice, tabs, heads, pages, grid } = board;
  const cells = new Map(area!.rows.flat().map((cell) => [cell.key, cell]));
  const tab = tabs.find(({ key }) => key === choice.tab)?.title;
  const kind = rules.heads.find(({ name }) => name === choice.head)!;
  const label = [state.gameName, tab, heads.length > 0 ? sharedText(kind.label) : null].filter(Boolean).join(', ');
  return (
    <>
      {tabs.length > 0 && (
        <Choices
          legend={grid === 'series' || grid === 'tiers' ? texts.tabs[grid] : texts.tab}
          options={tabs.map(({ key, title }) => ({ value: key, label: title }))}
          value={choice.tab}
          onChange={(chosen) => onChoice({ tab: chosen, page: '' })}
        />
      )}
      {heads.length > 0 && (
        <Choices
          legend={texts.kind}
          options={heads.map(({ name, label: text }) => ({ value: name, label: text }))}
          value={choice.head}
          onChange={(head) => {
            setChosen(true);
            onChoice({ head });
          }}
        />
      )}
      <p className={styles.note}>
        <strong>{sharedText(kind.label)}</strong>{' '}
        {hint ? texts.hinted(hint, returnText(rules, kind.name)) : returnText(rules, kind.name)}
      </p>
      {pages.length > 0 && (
        <PageChoice label={texts.numbers} pages={pages} value={choice.page} onChange={(page) => onChoice({ page })} />
      )}
      <BoardGrid
        label={label}
        className={`${styles.numbers} ${area!.rows[0]![0]!.label.length > 3 ? styles.long : ''}`}
        onErase={(key) => onErase([key])}
        style={{ '--in-row': area!.rows[0]!.length } as CSSProperties}
      >
        {area!.rows.map((row) => (
          <GridRow key={row[0]!.key} className={styles.row}>
            {row.map((cell) => {
              return (
                <CellButton
                  key={cell.key}
                  cell={cell.key}
                  name={cell.name}
                  units={unitsOn(slip, cell.key)}
                  placed={placed.get(cell.key) ?? 0}
                  isDrawn={drawn.has(cell.key)}
                  unitPrice={state.unitPrice}
                  onTouch={(key) => onTouch(cells.get(key)!.text, [key])}
                >
                  {cell.label}
                </CellButton>
              );
            })}
          </GridRow>
        ))}
      </BoardGrid>
    </>
  );
}
