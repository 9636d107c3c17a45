import type { NetworkWorkState } from '@drawhouse/contract/network-work/network-work';
import classes from './WorkProgress.module.css';
import type { ComponentProps } from 'react';
import { pageTexts } from '../uiTexts.ts';
import { WORK_KINDS } from '@drawhouse/contract/network-work/network-work-texts';

export function WorkProgress({ work }: { work: Pick<NetworkWorkState, 'kind' | 'by' | 'step' | 'done' | 'total'> }) {
  const what = `${WORK_KINDS[work.kind]} by ${work.by}`;
  const percent = work.total > 0 ? Math.min(100, Math.floor((100 * work.done) / work.total)) : undefined;
  const far = [work.step, percent !== undefined && `${percent}\u{a0}%`].filter(Boolean).join(': ');
  return (
    <Strip aria-label={pageTexts.inProgress}>
      <span className={classes.text}>
        <span className={classes.name}>{what}.</span> {far}
      </span>
      <ProgressBar aria-label={what} max={100} value={percent} />
    </Strip>
  );
}

/** Without a value it only moves. */
export function ProgressBar(props: ComponentProps<'progress'>) {
  return <progress className={classes.bar} {...props} />;
}

/** `data-failed` marks a failure. */
export function Strip(props: ComponentProps<'section'> & { 'data-failed'?: boolean }) {
  return <section className={classes.strip} {...props} />;
}
