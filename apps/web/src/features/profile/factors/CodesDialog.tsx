import { useState } from 'react';
import { OnceDialog } from '../../../ui/dialog/OnceDialog.tsx';
import classes from './Factors.module.css';
import { factorTexts } from './factorTexts.ts';

const texts = factorTexts.codes;

interface CodesDialogProps {
  codes: readonly string[] | null;
  onClose: () => void;
}

export function CodesDialog({ codes, onClose }: CodesDialogProps) {
  const [shown, setShown] = useState(codes);
  if (codes && codes !== shown) setShown(codes);
  return (
    <OnceDialog
      opened={codes !== null}
      onClose={onClose}
      title={texts.title}
      meaning={texts.once}
      value={shown?.join('\n') ?? ''}
      done={texts.stored}
    >
      <ul className={classes.codes} aria-label={texts.list}>
        {shown?.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </OnceDialog>
  );
}
