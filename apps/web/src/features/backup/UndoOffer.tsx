import type { NetworkWorkState } from '@drawhouse/contract/network-work/work';
import { Button } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { Strip } from '../../ui/Strip.tsx';
import { useMinute } from '../../ui/useMinute.ts';
import classes from './BackupsPage.module.css';
import { backupTexts } from './backupTexts.ts';
import { answerOf } from './workAnswer.ts';

interface UndoOfferProps {
  until: string | null;
  /** Where it is the restore itself, what came of it is told too: nobody was there to read it, for all sessions ended. */
  work: NetworkWorkState | null | undefined;
  onUndo: () => void;
}

/** Offers to undo the last restore, as long as that can be done. */
export function UndoOffer({ until, work, onUndo }: UndoOfferProps) {
  const now = useMinute();
  if (until === null || Date.parse(until) <= now) return null;
  const { message, safetyFolder, notes } = answerOf(work?.kind === 'restore' ? work : { answer: null });
  return (
    <Strip aria-label={backupTexts.undo.label}>
      <div className={classes.undo}>
        <p>
          {message !== null && <strong>{message}. </strong>}
          {safetyFolder !== null && `${backupTexts.undo.safety(safetyFolder)} `}
          {backupTexts.undo.offer(until)}
        </p>
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
      <Button variant="default" size="xs" leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={onUndo}>
        {backupTexts.undo.label}
      </Button>
    </Strip>
  );
}
