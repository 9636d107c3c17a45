import type { Account } from '@drawhouse/contract/accounts/accounts';
import { roleAbove } from '@drawhouse/contract/frame/primitives';
import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { ComponentType } from 'react';
import { detailsPath, editFromDetailsPath, fromDetailsPath, listPath } from '../../lib/paths.ts';
import { useGo } from '../../lib/useGo.ts';
import { useUser } from '../../lib/useSession.ts';
import { commonTexts } from '../../commonTexts.ts';
import type { Level } from '../../commonTexts.ts';
import { OnlineBadge } from '../../ui/OnlineBadge.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PathLink } from '../../ui/PathLink.tsx';
import { AccountActionDialog } from './AccountActionDialog.tsx';
import type { Asked } from './accountActions.ts';
import { AccountCards, AccountCardsSkeleton } from './AccountCards.tsx';
import { AccountLoad } from './AccountLoad.tsx';
import { AccountStatus } from './AccountStatus.tsx';
import { AccountTrail } from './AccountTrail.tsx';
import { ChildAccounts } from './ChildAccounts.tsx';
import { rowActionsOf } from './rowActionsOf.ts';
import { useQuickAction } from './useQuickAction.tsx';
import type { QuickAction } from './useQuickAction.tsx';
import classes from './AccountDetailsPage.module.css';

const texts = commonTexts.accounts;

interface AccountDetailsPageProps {
  level: Level;
  id: string;
  /** What is done with it, or with one of its children, without leaving the page. */
  quick?: QuickAction;
  /** How it is protected, where it is a player. */
  Protection: ComponentType<{ account: Account }>;
  /** What was played below it. */
  Overview: ComponentType<{ level: Level; account: Account }>;
}

/** One account: where it stands, what it holds, what was played below it, and its children. */
export function AccountDetailsPage({ level, id, quick, Protection, Overview }: AccountDetailsPageProps) {
  return (
    <AccountLoad level={level} id={id} title={texts.titles[level]} skeleton={<AccountCardsSkeleton />}>
      {(account) => (
        <div className={classes.page}>
          <AccountHead level={level} account={account} quick={quick} />
          <AccountCards level={level} account={account} />
          {level !== 'user' && <ChildAccounts parent={account} parentLevel={level} quick={quick} />}
          <Suspense fallback={null}>
            <Overview level={level} account={account} />
            {level === 'user' && <Protection account={account} />}
          </Suspense>
        </div>
      )}
    </AccountLoad>
  );
}

function AccountHead({ level, account, quick: what }: { level: Level; account: Account; quick?: QuickAction }) {
  const { role: viewer, _id: ownId } = useUser();
  const go = useGo();
  const [asked, setAsked] = useState<Asked | null>(null);
  const quick = useQuickAction(what);
  const ownActions = rowActionsOf(
    account,
    (action) =>
      action === 'edit'
        ? editFromDetailsPath(viewer, level, account._id)
        : fromDetailsPath(viewer, level, account._id, action),
    (action) => setAsked({ action, account }),
  );
  const actions = [...quick.actionsOf(account), ...ownActions];
  return (
    <>
      <AccountTrail level={level} account={account} />
      <PageHeader title={`${texts.titles[level]} ${account.username}`}>
        <AccountStatus account={account} />
        {level === 'user' && <OnlineBadge isOnline={account.isLoggedIn} />}
        <div className={classes.actions}>
          {actions.map(({ id, label, icon: Icon, href, onClick, danger }) => {
            const shared = {
              size: 'xs',
              variant: 'default',
              leftSection: <Icon size={14} aria-hidden />,
              className: danger ? classes.danger : undefined,
            };
            return href === undefined ? (
              <Button key={id} {...shared} onClick={onClick}>
                {label}
              </Button>
            ) : (
              <Button key={id} {...shared} component={PathLink} href={href}>
                {label}
              </Button>
            );
          })}
        </div>
      </PageHeader>
      {quick.dialog}
      <AccountActionDialog asked={asked} onClose={() => setAsked(null)} onRemoved={() => go.replace(afterRemoval())} />
    </>
  );

  /** The parent's details, or the list where the parent is the viewer. */
  function afterRemoval(): string {
    const parent = account.refId;
    const above = roleAbove(level);
    return parent && above && parent._id !== ownId ? detailsPath(viewer, above, parent._id) : listPath(viewer, level);
  }
}
