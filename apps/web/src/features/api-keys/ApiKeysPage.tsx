import { type ApiKey, apiKeys, endApiKey } from '@drawhouse/contract/api-keys/api-keys';
import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCalendarStats, IconKey, IconKeyOff, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, callQuery, errorMessage } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { useConfirmCall } from '../../lib/form/useConfirmCall.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { EmptyState } from '../../ui/page/PageStates.tsx';
import { PrintButton } from '../../ui/export/ExportMenu.tsx';
import { HeadButton, PageHeader } from '../../ui/page/PageHeader.tsx';
import type { RowAction } from '../../ui/table/rows/RowActions.tsx';
import { ApiKeyDialog } from './ApiKeyDialog.tsx';
import { apiKeyTexts as texts, apiKeyTexts } from './apiKeyTexts.ts';
import classes from './ApiKeys.module.css';
import { KeyDaysDialog } from './KeyDaysDialog.tsx';
import { formatCount } from '../../lib/format/format.ts';
import type { DataColumn } from '../../ui/table/columns/dataColumn.ts';
import { DateTime } from '../../ui/mark/DateTime.tsx';
import { Points } from '../../ui/mark/Points.tsx';
import { StatusBadge } from '../../ui/mark/StatusBadge.tsx';
import { TwoLines } from '../../ui/mark/StackedText.tsx';

const isExpired = ({ expiresAt }: ApiKey): boolean => expiresAt !== null && Date.parse(expiresAt) <= Date.now();
const isUsable = (key: ApiKey): boolean => key.endedAt === null && !isExpired(key);

function stateOf(key: ApiKey): string {
  if (key.endedAt !== null) return apiKeyTexts.ended;
  return isExpired(key) ? apiKeyTexts.expired : apiKeyTexts.active;
}
const callsOf = ({ permissions }: ApiKey): string =>
  permissions.map((permission) => texts.permissions[permission]).join(', ');
const addressesOf = ({ addresses }: ApiKey): string => (addresses.length === 0 ? texts.any : addresses.join(', '));

const API_KEY_COLUMNS: readonly DataColumn<ApiKey>[] = [
  {
    id: 'name',
    header: 'Name',
    accessor: ({ name }) => name,
    cell: ({ name }) => <TwoLines text={name} />,
    width: 160,
    sortable: true,
    priority: true,
  },
  { id: 'ending', header: apiKeyTexts.endsWith, accessor: ({ ending }) => `…${ending}`, width: 96, yields: 2 },
  {
    id: 'state',
    header: 'State',
    accessor: stateOf,
    cell: (key) => <StatusBadge tone={isUsable(key) ? 'good' : 'neutral'}>{stateOf(key)}</StatusBadge>,
    width: 100,
    sortable: true,
    priority: true,
  },
  {
    id: 'ticketsToday',
    header: apiKeyTexts.ticketsToday,
    accessor: ({ today }) => today.tickets,
    cell: ({ today }) => formatCount(today.tickets),
    align: 'right',
    width: 116,
    sortable: true,
  },
  {
    id: 'stakeToday',
    header: apiKeyTexts.stakesToday,
    accessor: ({ today }) => today.stake,
    cell: ({ today }) => <Points value={today.stake} />,
    align: 'right',
    width: 116,
    sortable: true,
  },
  {
    id: 'ticketsPerMinute',
    header: apiKeyTexts.ticketsMinute,
    accessor: ({ ticketsPerMinute }) => ticketsPerMinute,
    cell: ({ ticketsPerMinute }) => (ticketsPerMinute === null ? texts.any : formatCount(ticketsPerMinute)),
    align: 'right',
    width: 132,
    yields: 3,
  },
  {
    id: 'stakePerDay',
    header: apiKeyTexts.stakesDay,
    accessor: ({ stakePerDay }) => stakePerDay,
    cell: ({ stakePerDay }) => (stakePerDay === null ? texts.any : <Points value={stakePerDay} />),
    align: 'right',
    width: 116,
    yields: 3,
  },
  {
    id: 'permissions',
    header: apiKeyTexts.staffCalls,
    accessor: callsOf,
    cell: (key) => <TwoLines text={callsOf(key)} />,
    width: 180,
    yields: 4,
  },
  {
    id: 'addresses',
    header: 'From',
    accessor: addressesOf,
    cell: (key) => <TwoLines text={addressesOf(key)} />,
    width: 180,
    yields: 4,
  },
  {
    id: 'lastUsedAt',
    header: apiKeyTexts.lastUsed,
    accessor: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt }) => <DateTime value={lastUsedAt} relative />,
    width: 128,
    sortable: true,
    yields: 1,
  },
  {
    id: 'madeAt',
    header: 'Created',
    accessor: ({ madeAt }) => madeAt,
    cell: ({ madeAt }) => <DateTime value={madeAt} relative />,
    width: 128,
    sortable: true,
    yields: 5,
  },
];

type Act = keyof typeof texts.actions;
const ICONS: Readonly<Record<Act, RowAction['icon']>> = {
  days: IconCalendarStats,
  change: IconPencil,
  end: IconKeyOff,
};
const PAGE_ROWS = 25;

export function ApiKeysPage() {
  const [target, setTarget] = useState<{ act: Act; key: ApiKey } | 'new' | null>(null);
  const list = useQuery(callQuery(['apiKeys'], apiKeys, {}));
  const close = () => setTarget(null);
  const of = (act: Act): ApiKey | null =>
    target !== null && target !== 'new' && target.act === act ? target.key : null;
  return (
    <>
      <PageHeader
        title={texts.title}
        action={
          <Group gap="xs">
            <PrintButton />
            <HeadButton name={texts.make} icon={IconKey} onClick={() => setTarget('new')} />
          </Group>
        }
      />
      <p className={classes.meaning}>{texts.meaning}</p>
      <DataTable
        label={texts.title}
        rows={list.data?.data}
        columns={API_KEY_COLUMNS}
        rowKey={idOf}
        rowLabel={nameOf}
        actions={(key) =>
          offered(key).map((act) => ({
            id: act,
            label: texts.actions[act],
            icon: ICONS[act],
            onClick: () => setTarget({ act, key }),
            prominent: true,
            danger: act === 'end',
          }))
        }
        loading={list.isFetching}
        error={list.error && !list.data ? errorMessage(list.error) : null}
        onRetry={() => void list.refetch()}
        pageSize={PAGE_ROWS}
        keepsPage
        empty={
          <EmptyState
            title={texts.emptyTitle}
            text={texts.emptyText}
            action={
              <Button variant="default" onClick={() => setTarget('new')}>
                {texts.make}
              </Button>
            }
          />
        }
      />
      <ApiKeyDialog target={target === 'new' ? target : of('change')} onClose={close} />
      <KeyDaysDialog target={of('days')} onClose={close} />
      <EndDialog target={of('end')} onClose={close} />
    </>
  );
}

const idOf = ({ _id }: ApiKey): string => _id;
const nameOf = ({ name }: ApiKey): string => name;

function offered({ endedAt }: ApiKey): readonly Act[] {
  return endedAt === null ? ['days', 'change', 'end'] : ['days'];
}

function EndDialog({ target, onClose }: { target: ApiKey | null; onClose: () => void }) {
  const { shown, dialog } = useConfirmCall(target, {
    send: ({ _id }) => call(endApiKey, { params: { keyId: _id } }),
    onDone: ({ message }) => {
      notifications.show({ message });
      void reload(['apiKeys']);
    },
    onClose,
  });
  return (
    <ConfirmDialog {...dialog} title={texts.end.title} confirmLabel={texts.end.label} confirms={endApiKey} danger>
      {shown && texts.end.question(shown.name)}
      <Text mt="xs">{texts.end.consequence}</Text>
    </ConfirmDialog>
  );
}
