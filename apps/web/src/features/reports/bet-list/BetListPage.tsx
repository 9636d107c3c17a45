import { betList, winLossOf, type BetTicket } from '@drawhouse/contract/reports/bet-list';
import { ActionIcon, Alert } from '@mantine/core';
import { IconListSearch, IconReceipt, IconExternalLink } from '@tabler/icons-react';
import { useCallback, useMemo, useState, type ComponentProps, Fragment } from 'react';
import { formatDateTime } from '../../../lib/format/format.ts';
import { useList } from '../../../lib/list/useList.ts';
import type { DataColumn } from '../../../ui/table/columns/dataColumn.ts';
import { ClearedNote } from '../../../ui/page/Notes.tsx';
import { ListPage } from '../../../ui/page/ListPage.tsx';
import { PeriodBar } from '../../../ui/filter/PeriodBar.tsx';
import { NameBelow, TwoLines } from '../../../ui/mark/StackedText.tsx';
import { ObjectLink } from '../../../ui/mark/ObjectLink.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import type { Cells } from '../../../ui/table/columns/listColumns.tsx';
import { BetListFilters } from './BetListFilters.tsx';
import { betListTexts, betPageTexts } from '../reportTexts.ts';
import { Outcome, TicketDialog } from './TicketDialog.tsx';
import classes from './betList.module.css';
import { fairPath } from '../../../lib/paths.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { grouped } from './groupedResults.ts';

export function BetListPage() {
  const view = useList(betList, {
    name: 'gamehistory',
    queryKey: ['reports'],
    keptParams: ['gameId', 'userId'],
  });
  const [shown, setShown] = useState<{ ticket: BetTicket; dialog: Shown } | null>(null);
  const [opened, setOpened] = useState(false);
  const show = useCallback((ticket: BetTicket, dialog: Shown) => {
    setShown({ ticket, dialog });
    setOpened(true);
  }, []);
  const cells = useMemo(() => cellsWith(show), [show]);
  const { userId } = view.state;
  const close = () => setOpened(false);
  return (
    <>
      <ListPage
        view={view}
        Periods={DateBar}
        title={betListTexts.title}
        rowsName="tickets"
        rowKey={(row) => row._id}
        rowLabel={(row) => betPageTexts.ticket(row.ticketId)}
        cells={cells}
        phone={PHONE}
        numbered
        chips={{ drawId: betListTexts.ofDraw(view.rows?.[0]?.drawsAt) }}
        controls={<BetListFilters view={view} username={view.rows?.find((row) => row.userId === userId)?.username} />}
        actions={(row) => [
          {
            id: 'view',
            label: betListTexts.view,
            icon: IconReceipt,
            prominent: true,
            onClick: () => show(row, 'ticket'),
          },
        ]}
        empty={{ title: betListTexts.empty, text: betPageTexts.ticketsAppearHereAs }}
      >
        <ClearedNote text={view.answer?.cleared} />
        <ClearedNote text={view.answer?.undone} />
      </ListPage>
      <ResultsDialog ticket={shown && shown.ticket} opened={opened && shown?.dialog === 'results'} onClose={close} />
      <TicketDialog ticket={shown && shown.ticket} opened={opened && shown?.dialog === 'ticket'} onClose={close} />
    </>
  );
}

type DateBarProps = ComponentProps<typeof PeriodBar>;
const DateBar = (props: DateBarProps) => <PeriodBar {...props} singleDate />;

const PHONE: readonly DataColumn<BetTicket>[] = [
  {
    id: 'ticket',
    header: 'TicketID',
    phoneOnly: true,
    cell: (row) => (
      <NameBelow name={`${row.username}, ${row.gameName}`}>
        <ObjectLink about={{ kind: 'ticket', id: row.ticketId }}>{row.ticketId}</ObjectLink>
        <span className={classes.time}>{formatDateTime(row.placedAt)}</span>
      </NameBelow>
    ),
  },
  {
    id: 'outcome',
    header: betPageTexts.resultWL,
    phoneOnly: true,
    align: 'right',
    width: 132,
    cell: (row) => (
      <span className={classes.phoneResult}>
        <Settled value={winLossOf(row)} />
        <DrawnResult row={row} />
      </span>
    ),
  },
];

type Shown = 'results' | 'ticket';

function cellsWith(show: (ticket: BetTicket, dialog: Shown) => void): Cells<BetTicket> {
  return {
    role: () => betListTexts.player,
    gameName: (row) => <TwoLines text={row.gameName} />,
    winpoints: (row) => <Settled value={row.winpoints} />,
    winLoss: (row) => <Settled value={winLossOf(row)} />,
    result: (row) => (
      <span className={classes.result}>
        <DrawnResult row={row} />
        <ActionIcon
          variant="subtle"
          size="sm"
          aria-label={`${betListTexts.viewResults}: ticket ${row.ticketId}`}
          title={betListTexts.viewResults}
          onClick={() => show(row, 'results')}
        >
          <IconListSearch size={16} aria-hidden />
        </ActionIcon>
      </span>
    ),
  };
}

function DrawnResult({ row }: { row: BetTicket }) {
  const { outcome, status, resultText, correctedAt } = row;
  return (
    <span>
      <ObjectLink about={{ kind: 'draw', id: row.drawId }} title={resultText ?? undefined}>
        {status !== 'settled' ? (
          NO_RESULT[status]
        ) : outcome ? (
          <Outcome game={row} outcome={outcome} drawno={outcome.drawno} />
        ) : (
          betListTexts.drawn
        )}
      </ObjectLink>
      {correctedAt !== null && (
        <span className={classes.time} title={betListTexts.corrected(correctedAt)}>
          {betPageTexts.corrected}
        </span>
      )}
    </span>
  );
}

const NO_RESULT = { open: 'Open', closed: 'Open', drawn: 'Settling', settling: 'Settling', void: 'Void' } as const;

function Settled({ value }: { value: number | null }) {
  return value === null ? <span className={classes.none}>–</span> : <Points value={value} />;
}

interface ResultsDialogProps {
  ticket: BetTicket | null;
  opened: boolean;
  onClose: () => void;
}

function ResultsDialog({ ticket, opened, onClose }: ResultsDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={betListTexts.groupedResults}>
      {ticket && <Results ticket={ticket} />}
    </Dialog>
  );
}

function Results({ ticket }: { ticket: BetTicket }) {
  const { resultIds, booster, source, voidCause, outcome, outside } = ticket;
  return (
    <>
      {resultIds.length === 0 && (
        <Alert className={classes.alert} color="gray" title={betListTexts.noResults}>
          {voidCause
            ? betListTexts.voidCause[voidCause]
            : outside === null
              ? betListTexts.notDrawn
              : betListTexts.awaits(outside)}
        </Alert>
      )}
      {grouped(resultIds).map(({ series, groups }) => (
        <Fragment key={series ?? ''}>
          {series !== null && (
            <h3 className={classes.series}>
              {betListTexts.series} {series}
            </h3>
          )}
          <ul className={classes.numbers}>
            {groups.map(({ subseries, numbers }) => (
              <li key={subseries ?? ''}>
                {subseries !== null && <span className={classes.head}>{subseries}: </span>}
                <strong>
                  {outcome ? (
                    <Outcome game={ticket} outcome={outcome} drawno={numbers[0]!} size={48} />
                  ) : (
                    numbers.join(', ')
                  )}
                </strong>
              </li>
            ))}
          </ul>
        </Fragment>
      ))}
      <dl className={classes.facts} style={{ marginTop: 16 }}>
        <dt>{betPageTexts.ticketid}</dt>
        <dd>
          <ObjectLink about={{ kind: 'ticket', id: ticket.ticketId }}>{ticket.ticketId}</ObjectLink>
        </dd>
        <dt>{betPageTexts.game}</dt>
        <dd>{ticket.gameName}</dd>
        <dt>{betPageTexts.draw}</dt>
        <dd>
          <ObjectLink about={{ kind: 'draw', id: ticket.drawId }}>{formatDateTime(ticket.drawsAt)}</ObjectLink>
        </dd>
        {booster !== null && (
          <>
            <dt>{betPageTexts.booster}</dt>
            <dd>{booster} X</dd>
          </>
        )}
        {source && (
          <>
            <dt>{betPageTexts.source}</dt>
            <dd>{betListTexts.source[source]}</dd>
          </>
        )}
      </dl>
      <a className={classes.link} href={fairPath(ticket.drawId)} target="_blank" rel="noreferrer">
        {betListTexts.checkDraw}
        <IconExternalLink size={14} aria-hidden />
      </a>
    </>
  );
}
