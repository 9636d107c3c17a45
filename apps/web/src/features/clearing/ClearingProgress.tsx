import type { ClearingState } from '@drawhouse/contract/clearing/clearing';
import { Progress, Text } from '@mantine/core';
import { formatCount } from '../../lib/format.ts';
import { clearingTexts as texts } from './clearingTexts.ts';
import classes from './ClearHistory.module.css';

/** How far what is under way with the network has come. */
export function ClearingProgress({ running }: { running: NonNullable<ClearingState['running']> }) {
  const { isClearing, what, step, done, total, by } = running;
  if (!isClearing) return <output className={classes.other}>{texts.other(what, by)}</output>;
  const percent = total === 0 ? 0 : Math.min(100, Math.floor((100 * done) / total));
  return (
    <output className={classes.progress}>
      <div className={classes.step}>
        <span>{step === '' ? what : step}</span>
        {total > 1 && <span>{`${formatCount(done)} of ${formatCount(total)}`}</span>}
      </div>
      <Progress value={percent} aria-label={what} />
      <Text size="sm" c="dimmed">
        {texts.running(by)}
      </Text>
    </output>
  );
}
