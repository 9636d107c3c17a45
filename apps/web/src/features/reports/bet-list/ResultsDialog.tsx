import type { BetTicket } from '@drawhouse/contract/reports/bet-list';
import { Alert } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { Fragment } from 'react';
import { formatDateTime } from '../../../lib/format/format.ts';
import { fairPath } from '../../../lib/paths.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { ObjectLink } from '../../../ui/mark/ObjectLink.tsx';
import { betListTexts, betPageTexts } from '../reportTexts.ts';
import { Outcome } from './TicketDialog.tsx';
import { grouped } from './groupedResults.ts';
import classes from './betList.module.css';

interface ResultsDialogProps {
  ticket: BetTicket | null;
  opened: boolean;
  onClose: () => void;
}

export function ResultsDialog({ ticket, opened, onClose }: ResultsDialogProps) {
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
