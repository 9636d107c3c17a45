import { addTime } from '@drawhouse/contract/games/times';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { call } from '../../../lib/server/api.ts';
import { reload } from '../../../lib/server/queryClient.ts';
import { pagePath } from '../../../lib/paths.ts';
import { useFormCall } from '../../../lib/form/useFormCall.ts';
import { useWayBack } from '../../../lib/navigation.ts';
import { useUser } from '../../../lib/session/session.ts';
import { FormPage } from '../../../ui/form/FormPage.tsx';
import { SecondsField } from './SecondsField.tsx';
import { timeErrors, type TimeForm } from './timeForm.ts';
import { timeTexts } from '../gameTexts.ts';

export function AddTimePage() {
  const { role } = useUser();
  const { back, backLater } = useWayBack(pagePath(role, 'timemaster'));
  const form = useForm<TimeForm>({
    initialValues: { timecount: '' },
    validate: timeErrors,
  });
  const create = useFormCall(form, {
    send: ({ timecount }) =>
      call(addTime, { body: { timecount: Number(timecount) } }, { fallback: timeTexts.createFailed }),
    onDone: ({ message }) => {
      notifications.show({ message });
      backLater();
      return reload(['games', 'times']);
    },
    leaves: true,
  });
  return (
    <FormPage
      title={timeTexts.add}
      call={create}
      submitLabel={timeTexts.create}
      busyLabel={timeTexts.creating}
      onCancel={back}
    >
      <SecondsField form={form} />
    </FormPage>
  );
}
