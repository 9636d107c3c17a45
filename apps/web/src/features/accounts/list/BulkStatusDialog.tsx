import type { Account } from '@drawhouse/contract/accounts/accounts';
import { Button, Group, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { formatCount } from '../../../lib/format/format.ts';
import { FailureText } from '../../../lib/RequestId.tsx';
import { commonTexts } from '../../../commonTexts.ts';
import type { Level } from '../../../commonTexts.ts';
import { Dialog } from '../../../ui/page/Dialog.tsx';
import { DialogList, RefusedRow } from '../../../ui/form/DialogForm.tsx';
import { focusOnArrival } from '../../../ui/form/CallForm.tsx';
import { StatusBadge } from '../../../ui/mark/StatusBadge.tsx';
import { useAccountsChanged } from '../accountQueries.ts';
import { bulkSummary, toggleConsequence, toggleStatus, useDescendantCounts, runConcurrently } from '../statusChange.ts';
import type { BulkAction, BulkResult } from '../statusChange.ts';
import classes from '../accounts.module.css';
import { errorMessage } from '../../../lib/server/api.ts';

const texts = commonTexts.accounts;

export interface BulkAsked {
  action: BulkAction;
  accounts: readonly Account[];
}

interface BulkStatusDialogProps {
  level: Level;
  asked: BulkAsked | null;
  onDone: (accounts: readonly Account[]) => void;
  onClose: () => void;
}

export function BulkStatusDialog({ level, asked, onDone, onClose }: BulkStatusDialogProps) {
  const changed = useAccountsChanged();
  const stop = useRef<AbortController | null>(null);
  const [shown, setShown] = useState<BulkAsked | null>(null);
  const [results, setResults] = useState<ReadonlyMap<string, BulkResult> | null>(null);
  const [running, setRunning] = useState(false);
  if (asked && asked !== shown) {
    setShown(asked);
    setResults(null);
  }
  const { action = 'activate', accounts = [] } = shown ?? {};
  const resultOf = (account: Account): BulkResult => results?.get(account._id) ?? 'waiting';
  const isOver = results !== null && !running;

  async function run() {
    const controller = new AbortController();
    stop.current = controller;
    const done = new Set<string>();
    setRunning(true);
    setResults(new Map());
    await runBulk(
      action,
      accounts,
      (id, result) => {
        if (result === 'done') done.add(id);
        setResults((now) => new Map(now).set(id, result));
      },
      controller.signal,
    );
    setRunning(false);
    onDone(accounts.filter((account) => done.has(account._id)));
    await changed();
  }

  function close() {
    stop.current?.abort();
    onClose();
  }

  return (
    <Dialog opened={asked !== null} onClose={close} title={texts.toggle[action].title} centered size="md">
      {results === null ? (
        <Question action={action} level={level} accounts={accounts} />
      ) : (
        <Text component="output" display="block" fw={600}>
          {running ? `Working on ${formatCount(accounts.length)}…` : bulkSummary(action, accounts.map(resultOf))}
        </Text>
      )}
      <DialogList label="Accounts">
        {accounts.map((account) => (
          <li key={account._id}>
            <span>{account.username}</span>
            {results !== null && <Result action={action} result={resultOf(account)} isOver={isOver} />}
          </li>
        ))}
      </DialogList>
      <Group justify="flex-end" gap="xs" mt="lg">
        {isOver ? (
          <Button ref={focusOnArrival} onClick={close}>
            Close
          </Button>
        ) : (
          <>
            <Button variant="default" onClick={running ? () => stop.current?.abort() : close} data-autofocus>
              {running ? 'Stop' : texts.cancel}
            </Button>
            <Button color={action === 'deactivate' ? 'red' : undefined} loading={running} onClick={() => void run()}>
              {`${texts.toggle[action].label} ${formatCount(accounts.length)}`}
            </Button>
          </>
        )}
      </Group>
    </Dialog>
  );
}

interface QuestionProps {
  action: BulkAction;
  level: Level;
  accounts: readonly Account[];
}

function Question({ action, level, accounts }: QuestionProps) {
  const count = accounts.length;
  const names = count === 1 ? texts.titles[level] : commonTexts.dashboard.cards[level];
  const below = useDescendantCounts(action === 'deactivate' ? accounts : []);
  const consequence = toggleConsequence(action, accounts, below);
  return (
    <>
      <Text>{`Are you sure you want to ${action} ${formatCount(count)} ${names.toLowerCase()}?`}</Text>
      {consequence !== null && <Text mt="xs">{consequence}</Text>}
    </>
  );
}

function Result({ action, result, isOver }: { action: BulkAction; result: BulkResult; isOver: boolean }) {
  if (typeof result === 'object')
    return (
      <RefusedRow>
        <FailureText said={result.refused} />
      </RefusedRow>
    );
  if (result === 'done')
    return <StatusBadge tone="good">{action === 'activate' ? 'Activated' : 'Deactivated'}</StatusBadge>;
  return (
    <span className={classes.waiting}>{isOver ? 'Not started' : result === 'running' ? 'Working…' : 'Waiting'}</span>
  );
}

const AT_ONCE = 4;

function runBulk(
  action: BulkAction,
  accounts: readonly Account[],
  tell: (id: string, result: BulkResult) => void,
  signal: AbortSignal,
): Promise<void> {
  return runConcurrently(
    accounts,
    AT_ONCE,
    async (account) => {
      const { _id } = account;
      tell(_id, 'running');
      try {
        await toggleStatus(account, action);
        tell(_id, 'done');
      } catch (error) {
        tell(_id, { refused: errorMessage(error) });
      }
    },
    signal,
  );
}
