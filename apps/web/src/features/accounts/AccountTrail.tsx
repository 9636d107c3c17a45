import type { Account } from '@drawhouse/contract/accounts/accounts';
import { roleAbove } from '@drawhouse/contract/frame/primitives';
import type { Role } from '@drawhouse/contract/frame/primitives';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { detailsPath, homePath } from '../../lib/paths.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { useUser } from '../../lib/useSession.ts';
import type { Level } from '../../commonTexts.ts';
import { PathLink } from '../../ui/PathLink.tsx';
import { accountQuery } from './accountQueries.ts';
import classes from './AccountTrail.module.css';

interface Step {
  id: string;
  username: string;
  role: Role;
}

/** The chain from the viewer down to an account, each step a link to its details. */
export function AccountTrail({ level, account }: { level: Level; account: Account }) {
  const user = useUser();
  const queries = useQueryClient();
  const { data: between } = useQuery({
    queryKey: [queryKeys.accounts, 'chain', account._id, account.refId?._id],
    queryFn: async () => {
      // Each account names its parent only, so the chain is walked up until it reaches the viewer.
      const steps: Step[] = [];
      let role = roleAbove(level);
      let parent = account.refId;
      while (role && parent && parent._id !== user._id) {
        steps.unshift({ id: parent._id, username: parent.username, role });
        const { data } = await queries.fetchQuery(accountQuery(role, parent._id));
        parent = data.refId;
        role = roleAbove(role);
      }
      return steps;
    },
    enabled: account.refId !== null,
  });
  return (
    <nav aria-label="Breadcrumbs">
      <ol className={classes.trail}>
        <li>
          <PathLink href={homePath(user.role)}>{user.username}</PathLink>
        </li>
        {between?.map((step) => (
          <li key={step.id}>
            <PathLink href={detailsPath(user.role, step.role, step.id)}>{step.username}</PathLink>
          </li>
        ))}
        <li aria-current="page">{account.username}</li>
      </ol>
    </nav>
  );
}
