import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState, useCallback, useMemo, type KeyboardEvent, type RefObject } from 'react';
import { sectionOfEach } from '@drawhouse/rules/panel/layout';
import { flushSync } from 'react-dom';
import { ChoiceButton } from '../../../ui/form/Choices.tsx';
import { gridTexts, cellTexts } from './gridTexts.ts';
import classes from './gridParts.module.css';
import type { Figure } from './numbers/cellFigures.ts';
import { mayTake, type GridProps } from './grid.ts';
import { useGridKeys } from './gridKeys.ts';

interface FindFieldProps {
  drawnos: readonly string[];
  onFind: (drawno: string) => void;
  onTake: (drawno: string) => void;
}

export function FindField({ drawnos, onFind, onTake }: FindFieldProps) {
  const [text, setText] = useState('');
  const isNone = text !== '' && !drawnos.some((drawno) => drawno.startsWith(text));

  function type(typed: string) {
    const digits = typed.trim();
    setText(digits);
    if (drawnos.includes(digits)) onFind(digits);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && text !== '') setText('');
    else if (event.key === 'Enter' && drawnos.includes(text)) {
      onTake(text);
      setText('');
    } else return;
    event.preventDefault();
  }

  return (
    <TextInput
      size="xs"
      className={classes.find}
      aria-label={cellTexts.find}
      placeholder={`Find, e.g. ${drawnos[Math.min(42, drawnos.length - 1)]}`}
      inputMode="numeric"
      value={text}
      error={isNone && gridTexts.noNumber(text)}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={text !== '' && <CloseButton size="sm" aria-label={gridTexts.clear} onClick={() => setText('')} />}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

export function FigureChoice({ figure, onFigure }: { figure: Figure; onFigure: (figure: Figure) => void }) {
  return (
    <fieldset className={classes.figures} aria-label={cellTexts.figureOf}>
      {(Object.keys(cellTexts.figures) as Figure[]).map((each) => (
        <ChoiceButton key={each} chosen={each === figure} onClick={() => onFigure(each)}>
          {cellTexts.figures[each]}
        </ChoiceButton>
      ))}
    </fieldset>
  );
}

interface NumberSearch {
  drawnos: readonly string[];
  onFind: (drawno: string) => void;
  onTake: (drawno: string) => void;
}

/** With one visible section, `showSection` first switches to the right one. */
export function useNumberSearch(
  gridRef: RefObject<HTMLElement | null>,
  { rules, layout, selection, disabled, onToggle }: GridProps,
  setCurrent: (drawno: string) => void,
  showSection?: (key: string) => void,
): NumberSearch {
  const sectionOf = useMemo(() => sectionOfEach(rules, layout), [rules, layout]);
  const drawnos = useMemo(() => [...sectionOf.keys()], [sectionOf]);
  const onFind = useCallback(
    (drawno: string) => {
      setCurrent(drawno);
      if (showSection) showSection(sectionOf.get(drawno)!.key);
      else cellIn(gridRef.current, drawno)?.scrollIntoView({ block: 'center' });
    },
    [gridRef, sectionOf, setCurrent, showSection],
  );
  const onTake = useCallback(
    (drawno: string) => {
      const { slot } = sectionOf.get(drawno)!;
      if (showSection) flushSync(() => onFind(drawno));
      if (mayTake({ selection, disabled }, slot, drawno)) onToggle(slot, drawno);
    },
    [sectionOf, showSection, onFind, selection, disabled, onToggle],
  );
  const onTyped = useCallback(
    (drawno: string) => {
      onTake(drawno);
      setCurrent(drawno);
      cellIn(gridRef.current, drawno)?.focus();
    },
    [gridRef, onTake, setCurrent],
  );
  useGridKeys(
    useMemo(() => drawnos.join(' '), [drawnos]),
    disabled,
    onTyped,
  );
  return { drawnos, onFind, onTake };
}

const cellIn = (grid: HTMLElement | null, drawno: string) =>
  grid?.querySelector<HTMLElement>(`[data-drawno="${drawno}"]`);
