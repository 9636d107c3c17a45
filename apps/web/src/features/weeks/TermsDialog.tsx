import { COMMISSION_TERMS, setWeekTerms, type CommissionTerms } from '@drawhouse/contract/weeks/week-terms';
import type { WeekSheetRow } from '@drawhouse/contract/weeks/week-sheet';
import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { schemaErrors } from '../../lib/form/schemaErrors.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { formatCalendarDay } from '../../lib/format/format.ts';
import { call } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { DialogForm } from '../../ui/dialog/DialogForm.tsx';
import { termsTexts as texts } from './weeksTexts.ts';

interface TermsDialogProps {
  accounts: readonly WeekSheetRow[];
  opened: boolean;
  onClose: () => void;
}

interface TermsForm {
  by: 'credit' | 'share';
  share: string;
  commission: CommissionTerms;
}

export function TermsDialog({ accounts, opened, onClose }: TermsDialogProps) {
  const { terms } = accounts[0]!;
  const bodyOf = ({ by, share, commission }: TermsForm) => ({
    accounts: accounts.map(({ id }) => id),
    share: by === 'credit' ? null : Number(share.trim() || Number.NaN),
    commission,
  });
  const form = useForm<TermsForm>({
    initialValues: {
      by: terms.share === null ? 'credit' : 'share',
      share: terms.share === null ? '' : String(terms.share),
      commission: terms.commission,
    },
    validate: (values) => schemaErrors(setWeekTerms.body!, bodyOf(values)),
  });
  const saving = useFormCall(form, {
    send: (values) => call(setWeekTerms, { body: bodyOf(values) }),
    onDone: ({ results }) => {
      const from = results.map((result) => result.from).toSorted()[0]!;
      notifications.show({ message: texts.set(formatCalendarDay(from)) });
      onClose();
      void reload(['reports']);
    },
  });
  const title = accounts.length === 1 ? texts.title(accounts[0]!.username) : texts.titleOfMany(accounts.length);
  return (
    <Dialog opened={opened} onClose={() => saving.busy || onClose()} title={title} size="sm">
      <DialogForm label={title} call={saving} submit={texts.save} onCancel={onClose}>
        <p>{texts.about}</p>
        <NativeSelect label={texts.by} data={texts.bys} {...form.getInputProps('by')} />
        {form.values.by === 'share' && (
          <TextInput
            label={texts.share}
            description={texts.shareHint}
            inputMode="decimal"
            {...form.getInputProps('share')}
          />
        )}
        <NativeSelect
          label={texts.commission}
          description={texts.commissionHint}
          data={Object.entries(COMMISSION_TERMS).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('commission')}
        />
      </DialogForm>
    </Dialog>
  );
}
