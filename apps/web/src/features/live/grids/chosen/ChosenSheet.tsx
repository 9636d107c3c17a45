import { useState } from 'react';
import type { ComponentProps } from 'react';
import { Sheet } from '../../../../ui/dialog/Dialog.tsx';
import { ChosenWinners, ConsequenceText, summaryOf } from './ChosenWinners.tsx';
import { groupTexts } from '../gridTexts.ts';
import classes from './ChosenWinners.module.css';

export function ChosenSheet(props: ComponentProps<typeof ChosenWinners>) {
  const [opened, setOpened] = useState(false);
  const { panel, tabs, selection, booster } = props;
  const { count, of, consequence } = summaryOf(panel, tabs, selection, booster);
  return (
    <>
      <button type="button" className={classes.opener} aria-haspopup="dialog" onClick={() => setOpened(true)}>
        <strong>{groupTexts.chosenOf(count, of)}</strong>
        {count > 0 && <ConsequenceText of={consequence} />}
        <span className={classes.cross} aria-hidden>
          ›
        </span>
      </button>
      <Sheet
        opened={opened}
        onClose={() => setOpened(false)}
        position="bottom"
        title={groupTexts.chosenNumbers}
        styles={{ content: { height: 'auto', maxHeight: '85dvh' } }}
      >
        <ChosenWinners {...props} />
      </Sheet>
    </>
  );
}
