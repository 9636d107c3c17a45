import { inviteLogin } from '@drawhouse/contract/auth/invitations';
import type { Role } from '@drawhouse/contract/core/primitives';
import { listLogins, removeLogin, type Login } from '@drawhouse/contract/logins/logins';
import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDevices, IconMail, IconMapPin, IconPencil, IconTrash, IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useConfirmCall } from '../../lib/form/useConfirmCall.ts';
import { call, callQuery, errorMessage } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { InvitationDialog, type MadeInvitation } from '../../ui/dialog/OnceDialog.tsx';
import { PrintButton } from '../../ui/export/ExportMenu.tsx';
import { SearchField } from '../../ui/filter/SearchField.tsx';
import { HeadButton, PageHeader } from '../../ui/page/PageHeader.tsx';
import { EmptyState } from '../../ui/page/PageStates.tsx';
import { pageTexts } from '../../ui/uiTexts.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import type { RowAction } from '../../ui/table/rows/RowActions.tsx';
import { useUser } from '../../lib/session/session.ts';
import { StaffPlacesDialog } from './StaffPlacesDialog.tsx';
import { inviteTo, LoginDialog } from './LoginDialog.tsx';
import { LoginDevicesDialog } from './LoginDevicesDialog.tsx';
import classes from './Logins.module.css';
import { loginTexts as texts } from './loginTexts.ts';
import { formatCount } from '../../lib/format/format.ts';
import type { DataColumn } from '../../ui/table/columns/dataColumn.ts';
import { DateTime } from '../../ui/mark/DateTime.tsx';
import { Points } from '../../ui/mark/Points.tsx';
import { TwoLines } from '../../ui/mark/StackedText.tsx';
import { StatusBadge } from '../../ui/mark/StatusBadge.tsx';

type Act = keyof typeof texts.actions;
const ACTS: readonly Act[] = ['change', 'invite', 'devices', 'remove'];
const ICONS: Readonly<Record<Act, RowAction['icon']>> = {
  change: IconPencil,
  invite: IconMail,
  devices: IconDevices,
  remove: IconTrash,
};
const PAGE_ROWS = 25;
const PLACES_ROLES: readonly Role[] = ['superadmin', 'admin'];

export function LoginsPage() {
  const { role } = useUser();
  const [isPlacing, setPlaces] = useState(false);
  const [target, setTarget] = useState<{ act: Act; login: Login } | 'new' | null>(null);
  const list = useQuery(callQuery(['logins'], listLogins, {}));
  const [search, setSearch] = useState('');
  const rows = useMemo(() => list.data?.data.filter((login) => matches(login, search)), [list.data, search]);
  const [made, setMade] = useState<MadeInvitation | null>(null);
  const close = () => setTarget(null);
  const of = (act: Act): Login | null =>
    target !== null && target !== 'new' && target.act === act ? target.login : null;
  return (
    <>
      <PageHeader
        title={texts.title}
        action={
          <Group gap="xs">
            <PrintButton />
            <HeadButton name={texts.add} icon={IconUserPlus} onClick={() => setTarget('new')} />
          </Group>
        }
      >
        {list.data && list.data.data.length > PAGE_ROWS && (
          <SearchField label={texts.search} value={search} onChange={setSearch} />
        )}
        {PLACES_ROLES.includes(role) && (
          <Button variant="default" leftSection={<IconMapPin size={16} />} onClick={() => setPlaces(true)}>
            {texts.places.title}
          </Button>
        )}
      </PageHeader>
      <p className={classes.meaning}>{texts.meaning}</p>
      <DataTable
        label={texts.title}
        rows={rows}
        columns={LOGIN_COLUMNS}
        rowKey={({ number }) => String(number)}
        rowLabel={({ name }) => name}
        actions={(login) =>
          ACTS.map((act) => ({
            id: act,
            label: texts.actions[act],
            icon: ICONS[act],
            onClick: () => setTarget({ act, login }),
            prominent: true,
            danger: act === 'remove',
          }))
        }
        loading={list.isFetching}
        error={list.error && !list.data ? errorMessage(list.error) : null}
        onRetry={() => void list.refetch()}
        pageSize={PAGE_ROWS}
        keepsPage
        empty={
          search === '' ? (
            <EmptyState
              title={texts.emptyTitle}
              text={texts.emptyText}
              action={
                <Button variant="default" onClick={() => setTarget('new')}>
                  {texts.add}
                </Button>
              }
            />
          ) : (
            <EmptyState title={pageTexts.noMatches} text={texts.noMatches} />
          )
        }
      />
      <StaffPlacesDialog opened={isPlacing} onClose={() => setPlaces(false)} />
      <LoginDialog target={target === 'new' ? target : of('change')} onInvited={setMade} onClose={close} />
      <InviteDialog target={of('invite')} onInvited={setMade} onClose={close} />
      <InvitationDialog made={made} onClose={() => setMade(null)} />
      <LoginDevicesDialog target={of('devices')} onClose={close} />
      <RemoveDialog target={of('remove')} onClose={close} />
    </>
  );
}

interface InviteDialogProps {
  target: Login | null;
  onInvited: (made: MadeInvitation) => void;
  onClose: () => void;
}

function InviteDialog({ target, onInvited, onClose }: InviteDialogProps) {
  const { shown, dialog } = useConfirmCall(target, { send: inviteTo, onDone: onInvited, onClose });
  return (
    <ConfirmDialog {...dialog} title={texts.invite.title} confirmLabel={texts.invite.label} confirms={inviteLogin}>
      {shown && texts.invite.question(shown.name)}
      <Text mt="xs">{texts.invite.consequence}</Text>
    </ConfirmDialog>
  );
}

function RemoveDialog({ target, onClose }: { target: Login | null; onClose: () => void }) {
  const { shown, dialog } = useConfirmCall(target, {
    send: ({ number }) => call(removeLogin, { params: { number: String(number) } }),
    onDone: ({ message }) => {
      notifications.show({ message });
      void reload(['logins']);
    },
    onClose,
  });
  return (
    <ConfirmDialog
      {...dialog}
      title={texts.remove.title}
      confirmLabel={texts.remove.label}
      confirms={removeLogin}
      danger
    >
      {shown && texts.remove.question(shown.name)}
      <Text mt="xs">{texts.remove.consequence}</Text>
    </ConfirmDialog>
  );
}

const matches = ({ name, username }: Login, search: string): boolean =>
  `${name}\n${username}`.toLowerCase().includes(search.trim().toLowerCase());

const stateOf = ({ active }: Login): string => (active ? texts.on : texts.off);
const fromOf = ({ addresses, hours }: Login): string =>
  [addresses.join(', '), hours && `${hours.from} – ${hours.to}`].filter(Boolean).join(' · ') || texts.any;

const LOGIN_COLUMNS: readonly DataColumn<Login>[] = [
  {
    id: 'name',
    header: texts.name,
    accessor: ({ name }) => name,
    cell: ({ name }) => <TwoLines text={name} />,
    width: 160,
    sortable: true,
    priority: true,
  },
  {
    id: 'username',
    header: texts.username,
    accessor: ({ username }) => username,
    width: 140,
    sortable: true,
    yields: 1,
  },
  {
    id: 'role',
    header: texts.role,
    accessor: ({ role }) => texts.roles[role],
    width: 132,
    sortable: true,
    priority: true,
  },
  {
    id: 'active',
    header: texts.status,
    accessor: stateOf,
    cell: (login) => <StatusBadge tone={login.active ? 'good' : 'neutral'}>{stateOf(login)}</StatusBadge>,
    width: 100,
    sortable: true,
    yields: 2,
  },
  {
    id: 'dailyLimit',
    header: texts.dailyLimit,
    accessor: ({ dailyLimit }) => dailyLimit,
    cell: ({ dailyLimit }) => (dailyLimit === null ? texts.any : <Points value={dailyLimit} />),
    align: 'right',
    width: 116,
    yields: 4,
  },
  {
    id: 'from',
    header: 'From',
    accessor: fromOf,
    cell: (login) => <TwoLines text={fromOf(login)} />,
    width: 180,
    yields: 5,
  },
  {
    id: 'devices',
    header: texts.devices,
    accessor: ({ devices }) => devices,
    cell: ({ devices }) => formatCount(devices),
    align: 'right',
    width: 92,
    sortable: true,
    yields: 3,
  },
  {
    id: 'lastLogin',
    header: texts.lastLogin,
    accessor: ({ lastLogin }) => lastLogin,
    cell: ({ lastLogin }) => <DateTime value={lastLogin} relative />,
    width: 128,
    sortable: true,
    yields: 1,
  },
  {
    id: 'createdAt',
    header: texts.created,
    accessor: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <DateTime value={createdAt} relative />,
    width: 128,
    sortable: true,
    yields: 6,
  },
];
