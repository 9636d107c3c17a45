import { listBeacons, setBeacons, type BeaconState } from '@drawhouse/contract/games/game-beacons';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { beaconName } from '@drawhouse/rules/fair/beacon-rounds';
import { Checkbox, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import { call } from '../../../lib/server/api.ts';
import { formatDateTime } from '../../../lib/format/format.ts';
import type { DataColumn } from '../../../ui/table/columns/dataColumn.ts';
import { EmptyState } from '../../../ui/page/PageStates.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { StatusBadge } from '../../../ui/mark/StatusBadge.tsx';
import { beaconKeys, beaconRow, beaconUpdates, type BeaconField, type BeaconRow } from './beaconRows.ts';
import { EditableTable, useCells } from './EditableTable.tsx';
import classes from '../games.module.css';
import { cellName } from './rowForm.ts';
import { AdminFilter, NoGames, ChosenAdminPage, type AdminFormProps } from './ChosenAdmin.tsx';
import { useRowForm } from './useRowForm.ts';
import { gameTexts } from '../gameTexts.ts';

const TITLE = 'Beacons';
const AGAIN_MS = 10_000;

export function BeaconsPage() {
  return <ChosenAdminPage title={TITLE} name="beacons" route={listBeacons} everyMs={AGAIN_MS} Form={BeaconsOf} />;
}

function BeaconsOf(props: AdminFormProps<typeof listBeacons>) {
  if (beaconKeys(props.answer).length > 0) return <BeaconsForm {...props} />;
  return (
    <>
      <PageHeader title={TITLE} />
      <EmptyState title={gameTexts.noBeacons} text={gameTexts.beaconIsSourceRandom} />
    </>
  );
}

function BeaconsForm({ admin, admins, queryKey, answer }: AdminFormProps<typeof listBeacons>) {
  const keyText = beaconKeys(answer).join();
  const keys = useMemo(() => keyText.split(','), [keyText]);
  const rows = useMemo(() => answer.data.map((game) => beaconRow(game, keys)), [answer.data, keys]);
  const fields = useMemo(() => keys.map((_, place): BeaconField => `beacon${place}`), [keys]);
  const columns = useMemo(() => columnsOf(keys), [keys]);
  const rowForm = useRowForm<BeaconField, BeaconRow, RouteAnswer<typeof setBeacons>>({
    rows,
    fields,
    queryKey,
    check: () => null,
    send: (changed, typed) =>
      call(setBeacons, { params: { adminId: admin.id }, body: { updates: beaconUpdates(changed, typed, keys) } }),
    onDone: () => notifications.show({ message: gameTexts.beaconsApplyFromNext(admin.username) }),
    onUnchanged: () => notifications.show({ message: gameTexts.nothingSaveNoBeacon }),
  });
  return (
    <EditableTable
      title={TITLE}
      rows={rows}
      columns={columns}
      rowForm={rowForm}
      rowLabel={(row) => row.gameName}
      save={gameTexts.setBeacons}
      filters={<AdminFilter admin={admin} admins={admins} unsaved={rowForm.call.unsaved} />}
      notice={
        <>
          <BeaconList beacons={answer.beacons} keys={keys} />
          <Text size="sm" c="dimmed">
            {gameTexts.changesApplyFromGames}
          </Text>
        </>
      }
      empty={<NoGames />}
    />
  );
}

const nameOf = (publicKey: string): string => beaconName({ publicKey }).replace(/^the b/, 'B');

function columnsOf(keys: readonly string[]): readonly DataColumn<BeaconRow>[] {
  return [
    { id: 'gameName', header: 'Game', accessor: (row) => row.gameName, width: 180, sortable: true, priority: true },
    { id: 'all', header: 'Beacons', phoneOnly: true, cell: (row) => <UsedCount row={row} keys={keys} /> },
    ...keys.map((key, place): DataColumn<BeaconRow> => {
      const field: BeaconField = `beacon${place}`;
      return {
        id: field,
        header: nameOf(key),
        accessor: (row) => row[field] ?? null,
        width: 190,
        cell: (row) => <BeaconBox row={row} field={field} name={nameOf(key)} />,
      };
    }),
  ];
}

function BeaconBox({ row, field, name }: { row: BeaconRow; field: BeaconField; name: string }) {
  const form = useCells();
  const cell = cellName(row.id, field);
  return (
    <Checkbox
      aria-label={`${name}: ${row.gameName}`}
      checked={form.values[cell] === '1'}
      onChange={({ currentTarget: { checked } }) => form.setFieldValue(cell, checked ? '1' : '')}
    />
  );
}

function UsedCount({ row, keys }: { row: BeaconRow; keys: readonly string[] }) {
  const { values } = useCells();
  const count = keys.filter((_, place) => values[cellName(row.id, `beacon${place}`)] === '1').length;
  return count === 0 ? gameTexts.none : count;
}

function BeaconList({ beacons, keys }: { beacons: readonly BeaconState[]; keys: readonly string[] }) {
  return (
    <ul className={classes.beacons}>
      {keys.map((key) => {
        const beacon = beacons.find(({ publicKey }) => publicKey === key);
        return (
          <li key={key}>
            <strong title={key}>{nameOf(key)}</strong> <BeaconBadge beacon={beacon} />
            <span>{beacon?.address}</span>
            {beacon && (
              <span>
                {beacon.last
                  ? gameTexts.lastValueRound(beacon.last.round, formatDateTime(beacon.last.at))
                  : gameTexts.noValueNeededSince}
              </span>
            )}
            {beacon?.away && (
              <span>{gameTexts.unavailableSince(formatDateTime(beacon.away.since), beacon.away.why)}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function BeaconBadge({ beacon }: { beacon: BeaconState | undefined }) {
  if (!beacon) return <StatusBadge tone="bad">{gameTexts.notInBeacons}</StatusBadge>;
  if (beacon.away) return <StatusBadge tone="bad">{gameTexts.unavailable}</StatusBadge>;
  return beacon.isReady ? (
    <StatusBadge tone="good">{gameTexts.ready}</StatusBadge>
  ) : (
    <StatusBadge tone="warn">{gameTexts.notReadYet}</StatusBadge>
  );
}
