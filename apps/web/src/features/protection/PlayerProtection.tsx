import type { Account } from '@drawhouse/contract/accounts/accounts';
import { PROTECTION_LIMITS, type ProtectionLimit } from '@drawhouse/contract/players/player-limits';
import {
  endPlayerExclusion,
  playerProtection,
  type ShownLimit,
  type ShownProtection,
  playerProtectionHistory,
  type ProtectionEntry,
} from '@drawhouse/contract/players/protection';
import { richText } from '@drawhouse/session/rich-text';
import { ActionIcon, Button, Skeleton, Text, TextInput, Tooltip } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { IconPencil } from '@tabler/icons-react';
import { useQuery, keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { may } from '../../lib/session/rights.ts';
import { call, callQuery, errorMessage } from '../../lib/server/api.ts';
import { queryClient } from '../../lib/server/queryClient.ts';
import { formatDateTime, formatCount } from '../../lib/format/format.ts';
import { FailureText } from '../../lib/RequestId.tsx';
import { StatusBadge } from '../../ui/mark/StatusBadge.tsx';
import { type DialogPlayer, ExcludeDialog, LimitDialog } from './ProtectionDialogs.tsx';
import { limitText, setByText, shareUsed, entryText } from './limitForm.ts';
import classes from './PlayerProtection.module.css';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { DialogForm } from '../../ui/dialog/DialogForm.tsx';
import { protectionTexts } from './protectionTexts.ts';
import { DateTime } from '../../ui/mark/DateTime.tsx';

export function PlayerProtection({ account }: { account: Account }) {
  const { _id: playerId, username } = account;
  const [setting, setSetting] = useState<ProtectionLimit | null>(null);
  const [excluding, setExcluding] = useState(false);
  const [ending, setEnding] = useState(false);
  const { data, error, refetch } = useQuery(
    callQuery(['protection', playerId, 'limits'], playerProtection, { params: { playerId } }),
  );
  const shown = data?.data;
  return (
    <section className={classes.section} aria-label={protectionTexts.playerProtection}>
      <div className={classes.head}>
        <h2>{protectionTexts.playerProtection}</h2>
        {shown && <Pause protection={shown} />}
        <div className={classes.actions}>
          {shown?.exclusionEndableUntil && may('accounts') && (
            <Button
              size="xs"
              variant="default"
              title={protectionTexts.possibleUntil(formatDateTime(shown.exclusionEndableUntil))}
              onClick={() => setEnding(true)}
            >
              {protectionTexts.endExclusion}
            </Button>
          )}
          {may('accounts') && (
            <Button className={classes.exclude} size="xs" variant="default" onClick={() => setExcluding(true)}>
              {protectionTexts.exclude}
            </Button>
          )}
        </div>
      </div>
      <p className={classes.about}>
        {richText(protectionTexts.lowerPlayersLimitAnd, { zone: shown ? shown.timeZone : 'the network' })}
      </p>
      {shown ? (
        <Limits protection={shown} onSet={setSetting} />
      ) : error ? (
        <p role="alert">
          <FailureText message={errorMessage(error)} />{' '}
          <Button size="compact-xs" variant="default" onClick={() => void refetch()}>
            {protectionTexts.tryAgain}
          </Button>
        </p>
      ) : (
        <Skeleton height={256} />
      )}
      <ProtectionHistory playerId={playerId} />
      {shown && (
        <LimitDialog
          player={{ id: playerId, username }}
          limit={shown.limits.find(({ limit }) => limit === setting) ?? null}
          onClose={() => setSetting(null)}
        />
      )}
      <ExcludeDialog player={{ id: playerId, username }} opened={excluding} onClose={() => setExcluding(false)} />
      <EndExclusionDialog player={{ id: playerId, username }} opened={ending} onClose={() => setEnding(false)} />
    </section>
  );
}

function Pause({ protection: { breakUntil, excludedUntil } }: { protection: ShownProtection }) {
  if (excludedUntil !== null)
    return <StatusBadge tone="bad">{protectionTexts.excludedUntil(formatDateTime(excludedUntil))}</StatusBadge>;
  if (breakUntil !== null)
    return <StatusBadge tone="warn">{protectionTexts.onBreakUntil(formatDateTime(breakUntil))}</StatusBadge>;
  return null;
}

function Limits({ protection, onSet }: { protection: ShownProtection; onSet: (limit: ProtectionLimit) => void }) {
  return (
    <table className={classes.limits}>
      <thead>
        <tr>
          <th scope="col">{protectionTexts.limit}</th>
          <th scope="col">{protectionTexts.inEffect}</th>
          <th scope="col" className={classes.side}>
            {protectionTexts.players}
          </th>
          <th scope="col" className={classes.side}>
            {protectionTexts.managers}
          </th>
          <th scope="col">{protectionTexts.used}</th>
          <th scope="col" hidden={!may('accounts')}>
            <span className="unseen">{protectionTexts.action}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {protection.limits.map((row) => (
          <LimitRow key={row.limit} row={row} onSet={() => onSet(row.limit)} />
        ))}
      </tbody>
    </table>
  );
}

function LimitRow({ row, onSet }: { row: ShownLimit; onSet: () => void }) {
  const { limit, value, own, managers, setBy, pending, used } = row;
  const share = shareUsed(row);
  return (
    <tr>
      <th scope="row">
        {PROTECTION_LIMITS[limit]}
        {pending && (
          <small>
            {richText(protectionTexts.requestedCanBeConfirmed, {
              limit: pending.value === null ? protectionTexts.none : limitText(limit, pending.value),
              from: formatDateTime(pending.from),
            })}
          </small>
        )}
      </th>
      <td>
        {limitText(limit, value)}
        {setBy !== null && <small className={classes.setBy}>{setByText(setBy)}</small>}
      </td>
      <td className={classes.side}>{limitText(limit, own)}</td>
      <td className={classes.side}>{limitText(limit, managers)}</td>
      <td>
        {limitText(limit, used)}
        {share !== null && (
          <span className={classes.bar} aria-hidden>
            <span style={{ width: `${share * 100}%` }} data-full={share === 1 || undefined} />
          </span>
        )}
      </td>
      <td hidden={!may('accounts')}>
        <Tooltip label={protectionTexts.setLimit} openDelay={300}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={protectionTexts.setLimitOf(PROTECTION_LIMITS[limit])}
            onClick={onSet}
          >
            <IconPencil size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </td>
    </tr>
  );
}

interface EndExclusionDialogProps {
  player: DialogPlayer;
  opened: boolean;
  onClose: () => void;
}

function EndExclusionDialog({ player, opened, onClose }: EndExclusionDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={protectionTexts.endExclusionOf(player.username)} size="sm">
      <Fields player={player} onClose={onClose} />
    </Dialog>
  );
}

function Fields({ player: { id, username }, onClose }: Omit<EndExclusionDialogProps, 'opened'>) {
  const form = useForm({ initialValues: { reason: '' } });
  const end = useFormCall(form, {
    send: ({ reason }) => call(endPlayerExclusion, { params: { playerId: id }, body: { reason } }),
    onDone: ({ message }) => {
      notifications.show({ title: username, message });
      onClose();
      return queryClient.invalidateQueries({
        predicate: ({ queryKey: [first] }) => first === 'protection' || first === 'accounts',
      });
    },
  });
  return (
    <DialogForm
      label={protectionTexts.endExclusionOf(username)}
      call={end}
      confirms={endPlayerExclusion}
      submit={protectionTexts.endExclusion}
      onCancel={onClose}
    >
      <Text>{protectionTexts.canSignInAnd(username)}</Text>
      <TextInput
        label={protectionTexts.reason}
        description={protectionTexts.shownInHistoryThose}
        maxLength={200}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </DialogForm>
  );
}

const ROWS = 5;

function ProtectionHistory({ playerId }: { playerId: string }) {
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery({
    ...callQuery(['protection', playerId, 'history', page], playerProtectionHistory, {
      params: { playerId },
      query: { page: String(page), pageSize: String(ROWS) },
    }),
    placeholderData: keepPreviousData,
  });
  if (error && !data)
    return (
      <p role="alert">
        <FailureText message={errorMessage(error)} />{' '}
        <Button size="compact-xs" variant="default" onClick={() => void refetch()}>
          {protectionTexts.tryAgain}
        </Button>
      </p>
    );
  if (!data || data.total === 0) return null;
  const pages = Math.ceil(data.total / ROWS);
  return (
    <>
      <h3 id="protection-history">{protectionTexts.changes}</h3>
      <ChangesTable entries={data.data} />
      {pages > 1 && (
        <div className={classes.foot}>
          <Button size="compact-xs" variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {protectionTexts.newer}
          </Button>
          <Button size="compact-xs" variant="default" disabled={page >= pages} onClick={() => setPage(page + 1)}>
            {protectionTexts.older}
          </Button>
          <span className={classes.about}>{protectionTexts.changeCount(formatCount(data.total))}</span>
        </div>
      )}
    </>
  );
}

function ChangesTable({ entries }: { entries: readonly ProtectionEntry[] }) {
  return (
    <table className={classes.history} aria-labelledby="protection-history">
      <thead>
        <tr>
          <th scope="col" className={classes.wide}>
            {protectionTexts.requested}
          </th>
          <th scope="col">{protectionTexts.change}</th>
          <th scope="col" className={classes.wide}>
            {protectionTexts.inEffect}
          </th>
          <th scope="col" className={classes.wide}>
            {protectionTexts.by}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={`${entry.at} ${entry.what} ${entry.step}`}>
            <td className={classes.wide}>
              <DateTime value={entry.at} relative />
            </td>
            <td>
              {entryText(entry)}
              {entry.reason !== '' && <small>{entry.reason}</small>}
              <small className={classes.narrow}>
                {entry.by}, <DateTime value={entry.at} relative />; <Holds entry={entry} />
              </small>
            </td>
            <td className={classes.wide}>
              <Holds entry={entry} />
            </td>
            <td className={classes.wide}>{entry.by}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Holds({ entry: { until, step, from } }: { entry: ProtectionEntry }) {
  if (until !== null) return <>{richText(protectionTexts.until, { time: <DateTime value={until} /> })}</>;
  if (step === 'asked') return <>{richText(protectionTexts.onceConfirmedFrom, { time: <DateTime value={from} /> })}</>;
  return step === 'withdrawn' ? '–' : 'immediately';
}
