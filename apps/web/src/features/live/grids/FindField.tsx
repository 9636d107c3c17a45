import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { gridTexts, cellTexts } from './gridTexts.ts';
import classes from './gridParts.module.css';
import { ChoiceButton } from '../../../ui/form/Choices.tsx';
import type { Figure } from './numbers/cellFigures.ts';

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
