import { AMOUNT_KINDS } from '@drawhouse/contract/approvals/approval-texts';
import { APPROVAL_KINDS } from '@drawhouse/contract/core/permissions';
import { approvalRules, setApprovalRules, type ApprovalRule } from '@drawhouse/contract/approvals/approvals';
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { parsePoints } from '../../lib/format/format.ts';
import { useTimedMessage } from '../../lib/form/timedMessage.ts';
import { useFormCall } from '../../lib/form/useFormCall.ts';
import { go, usePathname, useSearch } from '../../lib/navigation.ts';
import { withSearch } from '../../lib/paths.ts';
import { useAdminsHere } from '../../lib/server/accountLookup.ts';
import { call, callQuery, errorMessage } from '../../lib/server/api.ts';
import { reload } from '../../lib/server/queryClient.ts';
import { useUser } from '../../lib/session/session.ts';
import { CallForm, DoneFoot } from '../../ui/form/CallForm.tsx';
import { PageSkeleton } from '../../ui/page/Loading.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { ErrorState } from '../../ui/page/PageStates.tsx';
import classes from './Approvals.module.css';
import { approvalTexts } from './approvalTexts.ts';

const texts = approvalTexts.rules;

export function ApprovalRulesPage() {
  const path = usePathname();
  const { admin: wanted } = useSearch();
  const admins = useAdminsHere();
  const user = useUser();
  const choices = admins.data && [...admins.data, user];
  const chosen = choices?.find(({ username }) => username === wanted) ?? choices?.[0];
  return (
    <>
      <PageHeader title={texts.title}>
        {choices && chosen && (
          <NativeSelect
            aria-label={texts.network}
            value={chosen.username}
            data={choices.map(({ _id, username }) => ({
              value: username,
              label: _id === user._id ? texts.ownCredit(username) : username,
            }))}
            onChange={({ currentTarget: { value } }) => go.replace(withSearch(path, { admin: value }))}
          />
        )}
      </PageHeader>
      <p className={classes.about}>{texts.meaning}</p>
      {chosen ? (
        <Rules key={chosen._id} adminId={chosen._id} username={chosen.username} />
      ) : admins.error ? (
        <ErrorState message={errorMessage(admins.error)} onRetry={() => void admins.refetch()} />
      ) : (
        <PageSkeleton shape="table" />
      )}
    </>
  );
}

function Rules({ adminId, username }: { adminId: string; username: string }) {
  const { data, error, refetch } = useQuery(
    callQuery(['approvals', 'rules', adminId], approvalRules, { params: { adminId } }),
  );
  if (error && !data) return <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />;
  if (!data) return <PageSkeleton shape="table" />;
  return <RulesForm adminId={adminId} username={username} rules={data.data} />;
}

interface RulesFormProps {
  readonly adminId: string;
  readonly username: string;
  readonly rules: readonly ApprovalRule[];
}

function RulesForm({ adminId, username, rules }: RulesFormProps) {
  const [done, showDone] = useTimedMessage();
  const form = useForm<Record<string, string>>({
    initialValues: Object.fromEntries(rules.map(({ kind, above }) => [kind, above === null ? '' : String(above)])),
    validate: Object.fromEntries(rules.map(({ kind }) => [kind, wrongAmount])),
  });
  const save = useFormCall(form, {
    send: (values) => {
      showDone(null);
      const wanted = rules.map(({ kind }) => ({ kind, above: amountOf(values[kind]!) }));
      return call(setApprovalRules, { params: { adminId }, body: { rules: wanted } });
    },
    onDone: ({ message }, values) => {
      showDone(message);
      form.resetDirty(values);
      return reload(['approvals']);
    },
  });
  return (
    <div className={classes.form}>
      <CallForm
        label={`${texts.title} ${username}`}
        call={save}
        foot={<DoneFoot done={done} busy={save.busy} submit={texts.save} />}
      >
        {rules.map(({ kind }) =>
          AMOUNT_KINDS.includes(kind) ? (
            <TextInput
              key={kind}
              label={APPROVAL_KINDS[kind]}
              description={kind === 'void' ? texts.voidHint : texts.hint}
              inputMode="decimal"
              {...form.getInputProps(kind)}
            />
          ) : (
            <Checkbox
              key={kind}
              label={APPROVAL_KINDS[kind]}
              description={kind === 'guards' && texts.guardsHint}
              checked={form.values[kind] !== ''}
              onChange={({ currentTarget: { checked } }) => form.setFieldValue(kind, checked ? '0' : '')}
            />
          ),
        )}
      </CallForm>
    </div>
  );
}

function amountOf(text: string): number | null {
  if (text.trim() === '') return null;
  return parsePoints(text) ?? Number.NaN;
}

const wrongAmount = (text: string): string | null => (Number.isNaN(amountOf(text)) ? texts.wrong : null);
