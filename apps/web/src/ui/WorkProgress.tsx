import { WORK_KINDS } from '@drawhouse/contract/network-work/network-work';
import type { NetworkWorkState } from '@drawhouse/contract/network-work/network-work';
import classes from './WorkProgress.module.css';

/** What is under way with a network, by whom and how far it has come: in words, and as a bar. */
export function WorkProgress({ work }: { work: Pick<NetworkWorkState, 'kind' | 'by' | 'step' | 'done' | 'total'> }) {
  const what = `${WORK_KINDS[work.kind]} by ${work.by}`;
  const share = work.total > 0 ? Math.min(1, work.done / work.total) : null;
  const percent = share === null ? null : Math.floor(share * 100);
  const far = [work.step, percent !== null && `${percent}\u{a0}%`].filter(Boolean).join(': ');
  return (
    <section className={classes.strip} aria-label="Under way">
      <span className={classes.text}>
        <span className={classes.name}>{what}.</span> {far}
      </span>
      <div
        className={classes.bar}
        role="progressbar"
        aria-label={what}
        aria-valuetext={far || 'It has begun.'}
        {...(percent !== null && { 'aria-valuenow': percent })}
        data-open-ended={share === null || undefined}
      >
        <div className={classes.done} style={share === null ? undefined : { width: `${share * 100}%` }} />
      </div>
    </section>
  );
}
