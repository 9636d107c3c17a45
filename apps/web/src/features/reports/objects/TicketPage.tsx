import { ticketPage, type TicketPage as TicketAnswer } from '@drawhouse/contract/reports/object-pages';
import { aboutSide } from '@drawhouse/contract/reports/transactions';
import { fairTicket } from '@drawhouse/contract/tickets/tickets';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dayOf } from '../../../lib/format/periods.ts';
import { accountPath, fairPath, withSearch } from '../../../lib/paths.ts';
import { callQuery, errorMessage } from '../../../lib/server/api.ts';
import { useUser } from '../../../lib/session/session.ts';
import { PrintButton } from '../../../ui/export/ExportMenu.tsx';
import { DateTime } from '../../../ui/mark/DateTime.tsx';
import { ObjectLink } from '../../../ui/mark/ObjectLink.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import { StatusBadge } from '../../../ui/mark/StatusBadge.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { Outcome, TicketLines } from '../bet-list/TicketDialog.tsx';
import { betListTexts } from '../reportTexts.ts';
import { Facts, LogSection, Movements, ObjectLoad, Second, Section, TicketCorrections } from './ObjectParts.tsx';
import { objectTexts, objectTexts as texts, ticketState } from './objectTexts.ts';
import classes from './objects.module.css';

/** An id or a number. */
export function TicketPage({ id }: { id: string }) {
  const query = useQuery(callQuery(['reports', 'ticket-page', id], ticketPage, { params: { ticketId: id } }));
  return (
    <ObjectLoad query={query} title={texts.ticket(id)} what={objectTexts.thisTicket}>
      {(answer) => <Ticket {...answer} />}
    </ObjectLoad>
  );
}

function Ticket(answer: TicketAnswer) {
  const { ticket, lines, undoneAt, movements, corrections, log } = answer;
  const { role } = useUser();
  const day = dayOf(new Date(ticket.placedAt));
  const state = texts.ticketState[ticketState(answer)];
  return (
    <>
      <PageHeader
        title={texts.ticket(ticket.ticketId)}
        badge={<StatusBadge tone={state.tone}>{state.text}</StatusBadge>}
        action={<PrintButton />}
      />
      {undoneAt !== null && <Text role="note">{betListTexts.undone(undoneAt)}</Text>}
      <div className={classes.columns}>
        <Section title={texts.details}>
          <TicketFacts {...answer} />
        </Section>
        <Section title={texts.lines}>
          <TicketLines ticket={ticket} lines={lines} />
        </Section>
      </div>
      <Section
        title={texts.statement}
        link={
          <PathLink
            href={withSearch(accountPath(role, 'user', 'statement', ticket.userId), { startDate: day, endDate: day })}
          >
            {texts.openStatement}
          </PathLink>
        }
      >
        {movements.length === 0 ? <p className={classes.muted}>{texts.noMovements}</p> : <Movements rows={movements} />}
      </Section>
      <TicketCorrections rows={corrections} />
      <Proof id={ticket._id} drawId={ticket.drawId} status={ticket.status} />
      <LogSection rows={log} />
    </>
  );
}

function TicketFacts({ ticket, above, paid }: TicketAnswer) {
  return (
    <Facts
      facts={[
        [
          texts.player,
          <ObjectLink key="player" about={{ kind: 'account', id: ticket.userId, role: 'user' }}>
            {ticket.username}
          </ObjectLink>,
        ],
        above.length > 0 && [
          texts.above,
          <span key="above" className={classes.trail}>
            {above.map(({ _id, username, role }) => (
              <span key={_id}>
                <ObjectLink about={{ kind: 'account', id: _id, role }}>{username}</ObjectLink>
              </span>
            ))}
          </span>,
        ],
        [texts.game, ticket.gameName],
        [texts.placed, <Second key="placed" value={ticket.placedAt} />],
        ticket.apiKey !== null && [texts.apiKey, ticket.apiKey],
        [
          texts.draw,
          <ObjectLink key="draw" about={{ kind: 'draw', id: ticket.drawId }}>
            <DateTime value={ticket.drawsAt} />
          </ObjectLink>,
        ],
        [texts.result, <Result key="result" ticket={ticket} />],
        [texts.stake, <Points key="stake" value={ticket.playpoints} inline />],
        [texts.won, ticket.winpoints === null ? '–' : <Points key="won" value={ticket.winpoints} inline />],
        [
          texts.paid,
          // A correction may have taken the win back.
          paid && ticket.winpoints !== 0 ? (
            <span key="paid">
              <Second value={paid.at} />{' '}
              {paid.by === null ? (
                texts.byDraw
              ) : (
                <ObjectLink about={aboutSide(paid.by)}>{texts.by(paid.by.name)}</ObjectLink>
              )}
            </span>
          ) : ticket.winpoints === 0 ? (
            texts.nothingToPay
          ) : (
            texts.notPaid
          ),
        ],
      ]}
    />
  );
}

function Result({ ticket }: Pick<TicketAnswer, 'ticket'>) {
  const { outcome, resultText, booster, source, voidCause, outside, correctedAt } = ticket;
  if (voidCause !== null) return betListTexts.voidCause[voidCause];
  if (resultText === null) return outside === null ? texts.noResult : betListTexts.awaits(outside);
  return (
    <>
      {outcome ? <Outcome game={ticket} outcome={outcome} drawno={outcome.drawno} /> : resultText}
      <span className={classes.below}>
        {texts.booster} {booster} X.{' '}
        {outside === null ? source && betListTexts.source[source] : betListTexts.outside(outside)}
        {correctedAt !== null && `. ${betListTexts.corrected(correctedAt)}`}
      </span>
    </>
  );
}

function Proof({ id, drawId, status }: { id: string; drawId: string; status: string }) {
  const { data, error } = useQuery(
    callQuery(['reports', 'ticket-proof', id, status], fairTicket, { params: { ticketId: id } }),
  );
  return (
    <Section
      title={texts.proof}
      link={
        <a href={fairPath(drawId)} target="_blank" rel="noreferrer">
          {texts.checkDraw}
        </a>
      }
    >
      {error ? (
        <p className={classes.muted}>{errorMessage(error)}</p>
      ) : data ? (
        <>
          <p className={classes.muted}>
            {data.index === null || data.size === null ? texts.proofOpen : texts.inTree(data.index + 1, data.size)}
          </p>
          <Facts
            facts={[
              [texts.digest, <code key="digest">{data.digest}</code>],
              data.root !== null && [texts.root, <code key="root">{data.root}</code>],
            ]}
          />
        </>
      ) : (
        <Skeleton height={48} />
      )}
    </Section>
  );
}
