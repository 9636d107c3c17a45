import { may } from '../../../lib/session/rights.ts';
import { MOVEMENT_KINDS } from '@drawhouse/contract/credit/credit';
import {
  aboutSide,
  TRANSACTION_STATUS,
  transactionOf,
  type TransactionDetails,
  type TransactionPage as Answer,
} from '@drawhouse/contract/reports/transactions';
import { Group, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { prefetched } from '../../../lib/lazyParts.ts';
import { callQuery } from '../../../lib/server/api.ts';
import { formatPoints } from '../../../lib/format/format.ts';
import { ObjectLink } from '../../../ui/mark/ObjectLink.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import { StatusBadge } from '../../../ui/mark/StatusBadge.tsx';
import { PrintButton } from '../../../ui/export/ExportMenu.tsx';
import { HeadButton, PageHeader } from '../../../ui/page/PageHeader.tsx';
import { Facts, LogSection, ObjectLoad, Second, Section } from './ObjectParts.tsx';
import { objectTexts, objectTexts as texts } from './objectTexts.ts';
import classes from './objects.module.css';

const useReverseDialog = prefetched(() => import('./ReverseDialog.tsx'));

export function TransactionPage({ id }: { id: string }) {
  const query = useQuery(callQuery(['reports', 'transaction', id], transactionOf, { params: { id } }));
  return (
    <ObjectLoad query={query} title={texts.transaction} what={objectTexts.thisTransaction}>
      {(answer) => <Transaction {...answer} />}
    </ObjectLoad>
  );
}

function Transaction(answer: Answer) {
  const { data, reversible, reversedBy, log } = answer;
  const [asking, setAsking] = useState({ opened: false, times: 0 });
  const dialog = useReverseDialog(asking.opened);
  const payer = reversible?.payer;
  const isCovered = payer !== undefined && payer.balance >= data.amount;
  return (
    <>
      <PageHeader
        title={texts.transactionOf(MOVEMENT_KINDS[data.kind], formatPoints(data.amount))}
        badge={
          <StatusBadge tone={reversedBy || data.status !== 'completed' ? 'warn' : 'good'}>
            {reversedBy && data.status === 'completed' ? texts.reversed : TRANSACTION_STATUS[data.status]}
          </StatusBadge>
        }
        action={
          <Group gap="xs">
            <PrintButton />
            {isCovered && may('adjustments') && (
              <HeadButton
                name={texts.reverse}
                icon={IconArrowBackUp}
                variant="default"
                onClick={() => setAsking(({ times }) => ({ opened: true, times: times + 1 }))}
              />
            )}
          </Group>
        }
      />
      <Section title={texts.accounts}>
        <Sides data={data} />
        {payer && !isCovered && (
          <Text size="sm" c="dimmed" mt="xs">
            {texts.notReversible(payer.name, payer.balance, data.amount)}
          </Text>
        )}
      </Section>
      <Section title={texts.transaction}>
        <TransactionFacts {...answer} />
      </Section>
      <LogSection rows={log} />
      {dialog && reversible && (
        <dialog.ReverseDialog
          key={asking.times}
          data={data}
          reversible={reversible}
          opened={asking.opened}
          onClose={() => setAsking({ ...asking, opened: false })}
        />
      )}
    </>
  );
}

function TransactionFacts({ data, reverses, reversedBy, log }: Answer) {
  const { actor, ticketId, drawId, note } = data;
  const [ordered] = log;
  return (
    <Facts
      facts={[
        [
          texts.transactionId,
          <code key="id" className={classes.code}>
            {data._id}
          </code>,
        ],
        [texts.time, <Second key="time" value={data.createdAt} />],
        [
          texts.madeBy,
          actor ? (
            <ObjectLink key="by" about={aboutSide(actor)}>
              {actor.name}
            </ObjectLink>
          ) : (
            texts.system
          ),
        ],
        ordered !== undefined && [texts.ipAddress, ordered.ipAddress],
        note !== null && [texts.note, note],
        ticketId !== null && [
          texts.ticketLabel,
          <ObjectLink key="ticket" about={{ kind: 'ticket', id: ticketId }}>
            {ticketId}
          </ObjectLink>,
        ],
        drawId !== null && [
          texts.draw,
          <ObjectLink key="draw" about={{ kind: 'draw', id: drawId }}>
            {texts.openDraw}
          </ObjectLink>,
        ],
        reverses !== null && [texts.reverses, <Linked key="reverses" transaction={reverses} />],
        reversedBy !== null && [texts.reversedBy, <Linked key="reversed" transaction={reversedBy} />],
      ]}
    />
  );
}

function Linked({ transaction }: { transaction: NonNullable<Answer['reverses']> }) {
  return (
    <ObjectLink about={{ kind: 'transaction', id: transaction._id }}>
      {texts.transaction} <Second value={transaction.createdAt} />
    </ObjectLink>
  );
}

function Sides({ data }: { data: TransactionDetails }) {
  const sides = [
    { name: texts.from, side: data.from, change: -data.amount },
    { name: texts.to, side: data.to, change: data.amount },
  ];
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{texts.account}</th>
          <th scope="col" data-align="right" className={classes.wide}>
            {texts.before}
          </th>
          <th scope="col" data-align="right">
            {texts.amount}
          </th>
          <th scope="col" data-align="right">
            {texts.after}
          </th>
        </tr>
      </thead>
      <tbody>
        {sides.map(({ name, side, change }) => (
          <tr key={name}>
            <th scope="row">
              <ObjectLink about={aboutSide(side)}>{side.name}</ObjectLink>
              <span className={classes.below}>
                {name}, {texts.walletNames[side.wallet].toLowerCase()}
              </span>
            </th>
            <td data-align="right" className={classes.wide}>
              {side.before === null ? '–' : <Points value={side.before} />}
            </td>
            <td data-align="right">
              <Points value={change} />
            </td>
            <td data-align="right">{side.after === null ? '–' : <Points value={side.after} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
