import { inviteLogin } from '@drawhouse/contract/auth/invitations';
import type { Role } from '@drawhouse/contract/core/primitives';
import { listLogins, removeLogin, type Login } from '@drawhouse/contract/logins/logins';
import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDevices, IconMail, IconMapPin, IconPencil, IconTrash, IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useConfirmCall } from '../../lib/form/useConfirmCall.ts';
import { call, callQuery, errorMessage } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { InvitationDialog, type MadeInvitation } from '../../ui/dialog/OnceDialog.tsx';
import { HeadButton, PageHeader } from '../../ui/page/PageHeader.tsx';
import { EmptyState } from '../../ui/page/PageStates.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import type { RowAction } from '../../ui/table/rows/RowActions.tsx';
import { LOGIN_COLUMNS } from './loginColumns.tsx';
import { useUser } from '../../lib/session/session.ts';
import { StaffPlacesDialog } from './StaffPlacesDialog.tsx';
import { inviteTo, LoginDialog } from './LoginDialog.tsx';
import { LoginDevicesDialog } from './LoginDevicesDialog.tsx';
import classes from './Logins.module.css';
import { loginTexts as texts } from './loginTexts.ts';

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
  const [made, setMade] = useState<MadeInvitation | null>(null);
  const close = () => setTarget(null);
  const of = (act: Act): Login | null =>
    target !== null && target !== 'new' && target.act === act ? target.login : null;
  return (
    <>
      <PageHeader
        title={texts.title}
        action={<HeadButton name={texts.add} icon={IconUserPlus} onClick={() => setTarget('new')} />}
      >
        {PLACES_ROLES.includes(role) && (
          <Button variant="default" leftSection={<IconMapPin size={16} />} onClick={() => setPlaces(true)}>
            {texts.places.title}
          </Button>
        )}
      </PageHeader>
      <p className={classes.meaning}>{texts.meaning}</p>
      <DataTable
        label={texts.title}
        rows={list.data?.data}
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
          <EmptyState
            title={texts.emptyTitle}
            text={texts.emptyText}
            action={
              <Button variant="default" onClick={() => setTarget('new')}>
                {texts.add}
              </Button>
            }
          />
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
