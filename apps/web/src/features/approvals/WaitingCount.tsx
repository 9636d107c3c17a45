import { waitingApprovals } from '../../lib/session/sessionCalls.ts';
import { approvalTexts } from './approvalTexts.ts';
import classes from './Approvals.module.css';

/** Number of requests that the user may decide, beside the menu entry. */
export function WaitingCount() {
  const count = waitingApprovals.useValue();
  return (
    count > 0 && (
      <span className={classes.count} title={approvalTexts.waiting(count)}>
        {count}
      </span>
    )
  );
}
