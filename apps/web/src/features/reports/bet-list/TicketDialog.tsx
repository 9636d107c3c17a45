import { sumPoints } from '@drawhouse/contract/core/primitives';
import {
  ticketDetails,
  type BetTicket,
  type TicketDetail,
  type ShownOutcome,
} from '@drawhouse/contract/reports/bet-list';
import { REPORT_FIELD_TEXTS } from '@drawhouse/contract/core/field-texts';
import { ApiError } from '@drawhouse/session/api-client';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { callQuery, errorMessage } from '../../../lib/server/api.ts';
import { formatCount, formatDateTime, formatPoints } from '../../../lib/format/format.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { ErrorState } from '../../../ui/page/PageStates.tsx';
import { ObjectLink } from '../../../ui/mark/ObjectLink.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import { betListTexts, betPageTexts } from '../reportTexts.ts';
import classes from './betList.module.css';
import { OutcomePicture, pictureFor } from '../../../ui/pictures/OutcomePicture.ts';

interface TicketDialogProps {
  ticket: BetTicket | null;
  opened: boolean;
  onClose: () => void;
}

export function TicketDialog({ ticket, opened, onClose }: TicketDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={betListTexts.ticketDetails} size="lg">
      {ticket && <Ticket ticket={ticket} />}
    </Dialog>
  );
}

function Ticket({ ticket }: { ticket: BetTicket }) {
  const { _id: ticketId, gameId, status } = ticket;
  const { data, error, refetch } = useQuery({
    // Lines never change, but wins appear at settlement.
    ...callQuery(['reports', 'ticket', ticketId, status], ticketDetails, { query: { ticketId, gameId } }),
  });
  const missing = error instanceof ApiError && error.status === 404;
  return (
    <>
      <Facts ticket={ticket} />
      {data && data.data.length > 0 ? (
        <TicketLines ticket={ticket} lines={data.data} />
      ) : data || missing ? (
        <Text role="alert">{missing ? errorMessage(error) : REPORT_FIELD_TEXTS.noTicketData}</Text>
      ) : error ? (
        <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={96} aria-label={betPageTexts.loadingTicket} aria-busy />
      )}
    </>
  );
}

function Facts({ ticket }: { ticket: BetTicket }) {
  return (
    <dl className={classes.facts}>
      <dt>{betPageTexts.ticketid}</dt>
      <dd>
        <ObjectLink about={{ kind: 'ticket', id: ticket.ticketId }}>{ticket.ticketId}</ObjectLink>
      </dd>
      <dt>{betPageTexts.username}</dt>
      <dd>
        <ObjectLink about={{ kind: 'account', id: ticket.userId, role: ticket.role }}>{ticket.username}</ObjectLink>
      </dd>
      <dt>{betPageTexts.game}</dt>
      <dd>{ticket.gameName}</dd>
      <dt>{betPageTexts.time}</dt>
      <dd>{formatDateTime(ticket.placedAt)}</dd>
      <dt>{betPageTexts.draw}</dt>
      <dd>
        <ObjectLink about={{ kind: 'draw', id: ticket.drawId }}>{formatDateTime(ticket.drawsAt)}</ObjectLink>
        {ticket.correctedAt !== null && `. ${betListTexts.corrected(ticket.correctedAt)}`}
      </dd>
      {ticket.apiKey !== null && (
        <>
          <dt>{betPageTexts.apiKey}</dt>
          <dd>{ticket.apiKey}</dd>
        </>
      )}
    </dl>
  );
}

export function TicketLines({ ticket, lines }: { ticket: BetTicket; lines: readonly TicketDetail[] }) {
  // A ticket may contain the same bet twice.
  const placed = lines.map((line, index) => ({ line, index }));
  return (
    <table className={classes.lines}>
      <thead>
        <tr>
          <th scope="col">{betPageTexts.drawNo}</th>
          <th scope="col" data-align="right">
            {betPageTexts.qty}
          </th>
          <th scope="col" data-align="right">
            {betPageTexts.total}
          </th>
        </tr>
      </thead>
      <tbody>
        {placed.map(({ index, line }) => (
          <tr key={index}>
            <td>
              <Outcome game={ticket} outcome={line.outcome} drawno={line.drawno} />
              {placeOf(line) !== '' && <span className={classes.head}> {placeOf(line)}</span>}
              {line.won !== null && line.won > 0 && (
                <span className={classes.won}>{betPageTexts.won(formatPoints(line.won))}</span>
              )}
            </td>
            <td data-align="right">{formatCount(line.drawqty)}</td>
            <td data-align="right">
              <Points value={line.drawtotal} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{betPageTexts.total}</th>
          <td data-align="right">{formatCount(lines.reduce((sum, { drawqty }) => sum + drawqty, 0))}</td>
          <td data-align="right">
            <Points value={sumPoints(lines.map(({ drawtotal }) => drawtotal))} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

function placeOf({ head, series, subseries }: TicketDetail): string {
  return [head, series, subseries].filter((part) => part !== null).join(' · ');
}

interface OutcomeProps {
  game: { readonly gameId: string; readonly family: string };
  /** Null if no outcome matches, such as the last two digits of a triple. */
  outcome: ShownOutcome | null;
  drawno: string;
  size?: number;
}

export function Outcome({ game, outcome, drawno, size = 24 }: OutcomeProps) {
  const picture = outcome && pictureFor(game, outcome);
  const label = outcome?.label ?? drawno;
  return (
    <span className={classes.outcome}>
      {picture && <OutcomePicture {...picture} size={size} />}
      <span>{label === drawno || label === '' ? drawno : `${drawno} ${label}`}</span>
    </span>
  );
}
