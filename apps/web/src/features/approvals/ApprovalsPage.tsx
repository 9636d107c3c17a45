import { approvals, approve, decline, withdraw, type Approval } from '@drawhouse/contract/approvals/approvals';
import { APPROVAL_STATES, type ApprovalState } from '@drawhouse/contract/approvals/approval-texts';
import { Button, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowBackUp, IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { formatDateTime } from '../../lib/format/format.ts';
import { useConfirmCall } from '../../lib/form/useConfirmCall.ts';
import { useList } from '../../lib/list/useList.ts';
import { pagePath } from '../../lib/paths.ts';
import { call } from '../../lib/server/api.ts';
import { queryClient } from '../../lib/server/queryClient.ts';
import { useUser } from '../../lib/session/session.ts';
import { refreshSession } from '../../lib/session/sessionCalls.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { NameBelow, TwoLines } from '../../ui/mark/StackedText.tsx';
import { StatusBadge } from '../../ui/mark/StatusBadge.tsx';
import { PathLink } from '../../ui/page/PathLink.tsx';
import { ListPage } from '../../ui/page/ListPage.tsx';
import { ChangeTable } from '../../ui/table/ChangeTable.tsx';
import type { DataColumn } from '../../ui/table/columns/dataColumn.ts';
import type { Cells } from '../../ui/table/columns/listColumns.tsx';
import type { RowAction } from '../../ui/table/rows/RowActions.tsx';
import classes from './Approvals.module.css';
import { approvalTexts as texts } from './approvalTexts.ts';

type Act = 'approve' | 'decline' | 'withdraw';
const ICONS: Readonly<Record<Act, RowAction['icon']>> = {
  approve: IconCheck,
  decline: IconX,
  withdraw: IconArrowBackUp,
};
const OFFERED: Readonly<Record<Approval['may'], readonly Act[]>> = {
  decide: ['approve', 'decline'],
  withdraw: ['withdraw'],
  nothing: [],
};
const TONES: Readonly<Record<ApprovalState, 'good' | 'bad' | 'warn' | 'neutral'>> = {
  waiting: 'warn',
  running: 'warn',
  approved: 'good',
  declined: 'bad',
  withdrawn: 'neutral',
  expired: 'neutral',
};
const REFRESH_MS = 15_000;

const CELLS: Cells<Approval> = {
  subject: (row) => <TwoLines text={row.subject} />,
  state: (row) => <State row={row} />,
};

const PHONE: readonly DataColumn<Approval>[] = [
  {
    id: 'act',
    header: texts.act,
    phoneOnly: true,
    cell: (row) => <NameBelow name={row.askedBy}>{row.subject}</NameBelow>,
  },
  { id: 'phoneState', header: texts.state, phoneOnly: true, align: 'right', cell: (row) => <State row={row} /> },
];

function State({ row: { state } }: { row: Approval }) {
  return <StatusBadge tone={TONES[state]}>{APPROVAL_STATES[state]}</StatusBadge>;
}

export function ApprovalsPage() {
  const { role } = useUser();
  const [target, setTarget] = useState<{ act: Act; row: Approval } | null>(null);
  const view = useList(approvals, {
    name: 'approvals',
    queryKey: ['approvals', 'list'],
    liveEveryMs: REFRESH_MS,
  });
  const of = (act: Act): Approval | null => (target?.act === act ? target.row : null);
  const close = () => setTarget(null);
  return (
    <>
      <ListPage
        view={view}
        title={texts.title}
        action={
          role === 'superadmin' && (
            <Button component={PathLink} href={pagePath(role, 'approvalrules')} variant="default">
              {texts.openRules}
            </Button>
          )
        }
        rowsName="requests"
        rowKey={(row) => row._id}
        rowLabel={(row) => row.subject}
        cells={CELLS}
        phone={PHONE}
        numbered={false}
        actions={(row) =>
          OFFERED[row.may].map((act) => ({
            id: act,
            label: texts[act],
            icon: ICONS[act],
            prominent: true,
            danger: act === 'decline',
            onClick: () => setTarget({ act, row }),
          }))
        }
        details={detailsOf}
        empty={texts.empty}
      >
        <p className={classes.about}>{texts.meaning}</p>
      </ListPage>
      <ApproveDialog target={of('approve')} onClose={close} />
      <DeclineDialog target={of('decline')} onClose={close} />
      <WithdrawDialog target={of('withdraw')} onClose={close} />
    </>
  );
}

const detailsOf = (row: Approval) => <Details row={row} />;

function Details({ row }: { row: Approval }) {
  return (
    <>
      {row.state === 'waiting' && (
        <Text size="sm" mt="sm">
          {texts.expires(formatDateTime(row.expiresAt))}
        </Text>
      )}
      {row.reason !== '' && (
        <Text size="sm" mt="sm">
          {row.state === 'declined' ? texts.declinedBecause(row.reason) : row.reason}
        </Text>
      )}
      <ChangeTable changes={row.changes} />
    </>
  );
}

interface DialogProps {
  readonly target: Approval | null;
  readonly onClose: () => void;
}

function useDecision<Answer extends { message: string }>(
  { target, onClose }: DialogProps,
  send: (row: Approval) => Promise<Answer>,
) {
  return useConfirmCall(target, {
    send,
    onDone: ({ message }) => {
      notifications.show({ message });
      void queryClient.invalidateQueries();
      void refreshSession();
    },
    onClose,
  });
}

function ApproveDialog(props: DialogProps) {
  const { shown, dialog } = useDecision(props, ({ _id }) => call(approve, { params: { approvalId: _id } }));
  return (
    <ConfirmDialog {...dialog} title={texts.approveTitle} confirmLabel={texts.approve} confirms={approve} size="lg">
      {shown && (
        <>
          <Text fw={600}>{shown.subject}</Text>
          <Text mt="xs">
            {texts.requestedBy(shown.askedBy, formatDateTime(shown.askedAt))} {texts.runs(shown.askedBy)}
          </Text>
          <Text size="sm" c="dimmed" mt="xs">
            {texts.valuesAtRequest}
          </Text>
          <ChangeTable changes={shown.changes} />
        </>
      )}
    </ConfirmDialog>
  );
}

function DeclineDialog({ target, onClose }: DialogProps) {
  const [reason, setReason] = useState('');
  const close = () => {
    setReason('');
    onClose();
  };
  const { shown, dialog } = useDecision({ target, onClose: close }, ({ _id }) =>
    call(decline, { params: { approvalId: _id }, body: { reason: reason.trim() } }),
  );
  return (
    <ConfirmDialog {...dialog} title={texts.declineTitle} confirmLabel={texts.decline} danger>
      {shown && (
        <>
          <Text fw={600}>{shown.subject}</Text>
          <Text mt="xs">
            {texts.requestedBy(shown.askedBy, formatDateTime(shown.askedAt))} {texts.nothing}
          </Text>
        </>
      )}
      <TextInput
        data-autofocus
        mt="md"
        label={texts.reason}
        description={texts.reasonHint}
        maxLength={500}
        value={reason}
        onChange={({ currentTarget: { value } }) => setReason(value)}
      />
    </ConfirmDialog>
  );
}

function WithdrawDialog(props: DialogProps) {
  const { shown, dialog } = useDecision(props, ({ _id }) => call(withdraw, { params: { approvalId: _id } }));
  return (
    <ConfirmDialog {...dialog} title={texts.withdrawTitle} confirmLabel={texts.withdraw}>
      {shown && <Text fw={600}>{shown.subject}</Text>}
      <Text mt="xs">{texts.nothing}</Text>
    </ConfirmDialog>
  );
}
