import { NO_TICKET_DATA, ticketDetails } from '@drawhouse/contract/history';
import type { BetTicket, TicketDetail } from '@drawhouse/contract/history';
import { sumPoints } from '@drawhouse/contract/primitives';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError, call, errorMessage } from '../../lib/api.ts';
import { formatCount, formatDateTime, formatPoints } from '../../lib/format.ts';
import { queryKeys } from '../../lib/queryKeys.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Points } from '../../ui/Points.tsx';
import { HISTORY } from './historyTexts.ts';
import { Outcome } from './Outcome.tsx';
import classes from './history.module.css';

interface TicketDialogProps {
  ticket: BetTicket | null;
  opened: boolean;
  onClose: () => void;
}

/** The lines of a ticket as its game shows them, with what each cost and won. */
export function TicketDialog({ ticket, opened, onClose }: TicketDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={HISTORY.ticketDetails} centered size="lg">
      {ticket && <Ticket ticket={ticket} />}
    </Dialog>
  );
}

function Ticket({ ticket }: { ticket: BetTicket }) {
  const { data, error, refetch } = useQuery({
    // Lines never change; what they have won is known once the draw is settled.
    queryKey: [queryKeys.reports, 'ticket', ticket._id, ticket.status],
    queryFn: ({ signal }) =>
      call(ticketDetails, { query: { ticketId: ticket._id, gameId: ticket.gameId } }, { signal }),
  });
  const missing = error instanceof ApiError && error.status === 404;
  return (
    <>
      <dl className={classes.facts}>
        <dt>TicketID</dt>
        <dd>{ticket.ticketId}</dd>
        <dt>Username</dt>
        <dd>{ticket.username}</dd>
        <dt>Game</dt>
        <dd>{ticket.gameName}</dd>
        <dt>Time</dt>
        <dd>{formatDateTime(ticket.placedAt)}</dd>
        <dt>Draw</dt>
        <dd>{formatDateTime(ticket.drawsAt)}</dd>
      </dl>
      {data && data.data.length > 0 ? (
        <Lines ticket={ticket} lines={data.data} />
      ) : data || missing ? (
        <Text c="var(--dh-text-muted)">{NO_TICKET_DATA}</Text>
      ) : error ? (
        <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={96} aria-label="Loading the ticket" aria-busy />
      )}
    </>
  );
}

function Lines({ ticket, lines }: { ticket: BetTicket; lines: readonly TicketDetail[] }) {
  // The same bet may stand on a ticket more than once.
  const placed = lines.map((line, place) => ({ line, place }));
  return (
    <table className={classes.lines}>
      <thead>
        <tr>
          <th scope="col">Draw No</th>
          <th scope="col" data-align="right">
            Qty
          </th>
          <th scope="col" data-align="right">
            Total
          </th>
        </tr>
      </thead>
      <tbody>
        {placed.map(({ place, line }) => (
          <tr key={place}>
            <td>
              <Outcome game={ticket} outcome={line.outcome} drawno={line.drawno} />
              {placeOf(line) !== '' && <span className={classes.head}> {placeOf(line)}</span>}
              {line.won !== null && line.won > 0 && <span className={classes.won}>Won {formatPoints(line.won)}</span>}
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
          <th scope="row">Total</th>
          <td data-align="right">{formatCount(lines.reduce((sum, { drawqty }) => sum + drawqty, 0))}</td>
          <td data-align="right">
            <Points value={sumPoints(lines.map(({ drawtotal }) => drawtotal))} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

/** What stands beside the number of a line: the kind of bet, its series and sub-series. */
function placeOf({ head, series, subseries }: TicketDetail): string {
  return [head, series, subseries].filter((part) => part !== null).join(' · ');
}
