import { waitingApprovals } from '../../lib/session/sessionCalls.ts';
import { approvalTexts } from './approvalTexts.ts';
import classes from './Approvals.module.css';

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
