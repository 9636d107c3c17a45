import { setStaffPlaces, staffPlaces, type PlacesOfStaff } from '@drawhouse/contract/logins/logins';
import { NativeSelect, Skeleton, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { useAdminsHere } from '../../lib/server/accountLookup.ts';
import { call, callQuery, errorMessage } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { useUser } from '../../lib/session/session.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { DialogForm } from '../../ui/dialog/DialogForm.tsx';
import { ErrorState } from '../../ui/page/PageStates.tsx';
import { placeNames, WhereFrom } from './LoginDialog.tsx';
import { placesFormOf, placesOf, type PlacesForm } from './loginForm.ts';
import { loginTexts } from './loginTexts.ts';

const texts = loginTexts.places;

interface StaffPlacesProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Applies to the admin's network, or to one that the superadmin chooses. */
export function StaffPlacesDialog({ opened, onClose }: StaffPlacesProps) {
  const { _id, role } = useUser();
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title}>
      {!opened ? null : role === 'superadmin' ? (
        <OfChosen onClose={onClose} />
      ) : (
        <Places adminId={_id} onClose={onClose} />
      )}
    </Dialog>
  );
}

function OfChosen({ onClose }: Pick<StaffPlacesProps, 'onClose'>) {
  const [chosen, choose] = useState<string>();
  const { data, error, refetch } = useAdminsHere();
  if (!data) return error ? <Failed error={error} retry={refetch} /> : <Loading />;
  const adminId = chosen ?? data[0]?._id;
  return (
    <>
      <NativeSelect
        label={texts.network}
        mb="sm"
        value={adminId ?? ''}
        data={data.map((admin) => ({ value: admin._id, label: admin.username }))}
        onChange={({ currentTarget: { value } }) => choose(value)}
      />
      {adminId !== undefined && <Places key={adminId} adminId={adminId} onClose={onClose} />}
    </>
  );
}

function Places({ adminId, onClose }: { adminId: string } & Pick<StaffPlacesProps, 'onClose'>) {
  const { data, error, refetch } = useQuery(
    callQuery(['logins', 'places', adminId], staffPlaces, { params: { adminId } }),
  );
  if (!data) return error ? <Failed error={error} retry={refetch} /> : <Loading />;
  return <Fields adminId={adminId} places={data.data} onClose={onClose} />;
}

interface FieldsProps extends Pick<StaffPlacesProps, 'onClose'> {
  readonly adminId: string;
  readonly places: PlacesOfStaff;
}

function Fields({ adminId, places, onClose }: FieldsProps) {
  const form = useForm<PlacesForm>({ initialValues: placesFormOf(places) });
  const save = useFormCall(form, {
    send: (values) => call(setStaffPlaces, { params: { adminId }, body: placesOf(values) }),
    ownNames: placeNames(form.values),
    onDone: ({ message }) => {
      notifications.show({ message });
      onClose();
      return reload(['logins']);
    },
  });
  return (
    <DialogForm label={texts.title} call={save} confirms={setStaffPlaces} submit={texts.save} onCancel={onClose}>
      <Text size="sm">{texts.meaning}</Text>
      <WhereFrom form={form} />
    </DialogForm>
  );
}

const Loading = () => <Skeleton height={160} aria-label={texts.loading} aria-busy />;

function Failed({ error, retry }: { error: Error; retry: () => unknown }) {
  return <ErrorState message={errorMessage(error)} onRetry={() => void retry()} />;
}
