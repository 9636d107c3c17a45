import { IconClockPause } from '@tabler/icons-react';
import { useRestoring } from '../lib/useRestoring.ts';
import classes from './RestoreStrip.module.css';

/** Says above every page that a restore is running. It takes room of its own, since it may last for minutes. */
export function RestoreStrip() {
  const restoring = useRestoring();
  return (
    <output>
      {restoring && (
        <span className={classes.strip}>
          <IconClockPause size={18} aria-hidden />
          A restore is running: betting and changes wait.
        </span>
      )}
    </output>
  );
}
