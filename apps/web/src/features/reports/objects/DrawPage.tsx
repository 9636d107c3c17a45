import { drawName } from '@drawhouse/rules/time/draw-name';
import { fairDraw } from '@drawhouse/contract/draws/draws';
import { percentOfShare } from '@drawhouse/contract/core/primitives';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { betList, type BetTicket } from '@drawhouse/contract/reports/bet-list';
import { drawPage, type DrawPage as Staff } from '@drawhouse/contract/reports/object-pages';
import { BOOSTER_WEIGHT_SUM } from '@drawhouse/rules/fair/booster';
import { Skeleton } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dayOf, instantsOf } from '../../../lib/format/periods.ts';
import { spanText } from '@drawhouse/session/span-text';
import { formatPoints } from '../../../lib/format/format.ts';
import { fairPath, pagePath, panelPath, withSearch } from '../../../lib/paths.ts';
import { call, callQuery, errorMessage } from '../../../lib/server/api.ts';
import { useUser } from '../../../lib/session/session.ts';
import { PrintButton } from '../../../ui/export/ExportMenu.tsx';
import { DateTime } from '../../../ui/mark/DateTime.tsx';
import { Figures } from '../../../ui/mark/Figures.tsx';
import { ObjectLink } from '../../../ui/mark/ObjectLink.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import { StatusBadge } from '../../../ui/mark/StatusBadge.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { Outcome } from '../bet-list/TicketDialog.tsx';
import { betListTexts } from '../reportTexts.ts';
import { DrawCorrections, Facts, LogSection, ObjectLoad, Second, Section } from './ObjectParts.tsx';
import { objectTexts, objectTexts as texts } from './objectTexts.ts';
import classes from './objects.module.css';

type Fair = RouteAnswer<typeof fairDraw>;

const REFRESH_MS = 5_000;
const SECOND_MS = 1_000;
const TICKETS_SHOWN = '25';

interface Loaded {
  readonly fair: Fair;
  readonly staff: Staff;
  readonly offsetMs: number;
}

const isRunning = ({ status }: Fair): boolean => status !== 'settled' && status !== 'void';

export function DrawPage({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['reports', 'draw', id],
    queryFn: async ({ signal }): Promise<Loaded> => {
      const params = { drawId: id };
      const [staff, fair] = await Promise.all([
        call(drawPage, { params }, { signal }),
        call(fairDraw, { params }, { signal }),
      ]);
      return { staff, fair, offsetMs: Date.parse(staff.serverTime) - Date.now() };
    },
    refetchInterval: ({ state: { data } }) => (data && isRunning(data.fair) ? REFRESH_MS : false),
  });
  return (
    <ObjectLoad query={query} title={texts.draw} what={objectTexts.thisDraw}>
      {(loaded) => <Draw {...loaded} />}
    </ObjectLoad>
  );
}

function Draw({ fair, staff, offsetMs }: Loaded) {
  const { figures } = staff;
  const status = texts.drawStatus[fair.status];
  return (
    <>
      <PageHeader
        title={texts.drawOf(drawName(fair.number))}
        of={fair.gameName}
        badge={<StatusBadge tone={status.tone}>{status.text}</StatusBadge>}
        action={<PrintButton />}
      >
        <a href={fairPath(fair.drawId)} target="_blank" rel="noreferrer">
          {texts.checkDraw}
        </a>
      </PageHeader>
      <Figures
        figures={[
          { name: texts.stakes, value: figures.stake },
          { name: texts.payouts, value: figures.win },
          { name: texts.commission, value: figures.commission },
        ]}
      />
      <div className={classes.columns}>
        <Section title={texts.draw}>
          <DrawFacts fair={fair} staff={staff} offsetMs={offsetMs} />
        </Section>
        <Section title={texts.terms}>
          <Terms fair={fair} />
        </Section>
      </div>
      <DrawCorrections rows={staff.corrections} />
      <Tickets fair={fair} count={figures.tickets} players={figures.players} />
      <LogSection rows={staff.log} />
    </>
  );
}

function DrawFacts({ fair, staff, offsetMs }: Loaded) {
  const { role } = useUser();
  const { admin, finishedAt, saved } = staff;
  const hasPanel = role === 'superadmin' || role === 'admin';
  return (
    <Facts
      facts={[
        [
          texts.game,
          hasPanel ? (
            <PathLink key="game" href={panelPath(role, fair.gameId, admin._id, admin.username)}>
              {fair.gameName}
            </PathLink>
          ) : (
            fair.gameName
          ),
        ],
        hasPanel && [
          texts.admin,
          <ObjectLink key="admin" about={{ kind: 'account', id: admin._id, role: 'admin' }}>
            {admin.username}
          </ObjectLink>,
        ],
        [texts.opens, <Second key="opens" value={fair.opensAt} />],
        [texts.closes, <Second key="closes" value={fair.closesAt} />],
        [
          texts.draws,
          <span key="draws">
            <Second value={fair.drawsAt} /> <Countdown fair={fair} offsetMs={offsetMs} />
          </span>,
        ],
        finishedAt !== null && [texts.finished, <Second key="finished" value={finishedAt} />],
        [texts.result, <Result key="result" fair={fair} outcome={staff.outcome} />],
        fair.source !== null && [
          texts.source,
          fair.outside === null ? betListTexts.source[fair.source] : outsideText(fair.outside, fair.corrections.at(-1)),
        ],
        saved !== null && [
          texts.declaredBy,
          <span key="saved">
            {saved.by}, <Second value={saved.at} />
            {saved.ip !== null && `, ${saved.ip}`}
          </span>,
        ],
        saved !== null && saved.confirmedBy !== null && [texts.confirmedBy, saved.confirmedBy],
      ]}
    />
  );
}

function outsideText(source: string, correction: Fair['corrections'][number] | undefined): string {
  const text = betListTexts.outside(source);
  return correction ? `${text}. ${betListTexts.corrected(correction.at)}` : text;
}

function Result({ fair, outcome }: { fair: Fair; outcome: Staff['outcome'] }) {
  if (fair.voidCause !== null) return betListTexts.voidCause[fair.voidCause];
  if (fair.resultLabel === null) return fair.outside === null ? texts.noResult : betListTexts.awaits(fair.outside);
  return (
    <>
      {outcome ? <Outcome game={fair} outcome={outcome} drawno={outcome.drawno} /> : fair.resultLabel}
      <span className={classes.below}>
        {texts.booster} {fair.booster} X
      </span>
    </>
  );
}

function Countdown({ fair, offsetMs }: Pick<Loaded, 'fair' | 'offsetMs'>) {
  const [now, setNow] = useState(() => Date.now());
  useInterval(() => setNow(Date.now()), SECOND_MS, { autoInvoke: true });
  const left = Date.parse(fair.drawsAt) - now - offsetMs;
  return isRunning(fair) && left > 0 ? <span className={classes.muted}>{texts.countdown(spanText(left))}</span> : null;
}

function Terms({ fair }: { fair: Fair }) {
  const pays = Object.entries(fair.pays).map(([head, pay]) => `${head} ${pay}`);
  const odds = fair.weights.flatMap((weight, index) =>
    weight === 0 ? [] : [`${index + 1} X ${formatPoints(percentOfShare(weight / BOOSTER_WEIGHT_SUM))} %`],
  );
  return (
    <Facts
      facts={[
        [texts.unitPrice, <Points key="price" value={fair.unitPrice} inline />],
        [texts.pays, pays.join(', ')],
        [texts.odds, odds.join(', ')],
        [texts.resultMode, texts.resultModes[fair.resultMode]],
        [texts.claims, fair.manualClaims ? texts.claimedByPlayer : texts.paidAtOnce],
        fair.beacons.length > 0 && [texts.beacons, String(fair.beacons.length)],
        [texts.rulesVersion, String(fair.rulesVersion)],
        [
          texts.commitment,
          <code key="commitment" className={classes.code}>
            {fair.commitment}
          </code>,
        ],
        fair.ticketRoot !== null && [
          texts.root,
          <code key="root" className={classes.code}>
            {fair.ticketRoot}
          </code>,
        ],
      ]}
    />
  );
}

function Tickets({ fair, count, players }: { fair: Fair; count: number; players: number }) {
  const { role } = useUser();
  const days = { from: dayOf(new Date(fair.opensAt)), to: dayOf(new Date(fair.drawsAt)) };
  const { data, error } = useQuery(
    callQuery(['reports', 'draw-tickets', fair.drawId, fair.status, count], betList.route, {
      query: { drawId: fair.drawId, pageSize: TICKETS_SHOWN, ...instantsOf(days) },
    }),
  );
  const all = { drawId: fair.drawId, startDate: days.from, endDate: days.to };
  return (
    <Section
      title={texts.ticketCount(count, players)}
      link={<PathLink href={withSearch(pagePath(role, 'gamehistory'), all)}>{texts.allTickets}</PathLink>}
    >
      {error ? (
        <p className={classes.muted}>{errorMessage(error)}</p>
      ) : data === undefined ? (
        <Skeleton height={96} />
      ) : data.data.length === 0 ? (
        <p className={classes.muted}>{texts.noTickets}</p>
      ) : (
        <>
          <TicketTable rows={data.data} />
          {count > data.data.length && <p className={classes.muted}>{texts.newestShown(data.data.length)}</p>}
        </>
      )}
    </Section>
  );
}

function TicketTable({ rows }: { rows: readonly BetTicket[] }) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{texts.ticketLabel}</th>
          <th scope="col">{texts.player}</th>
          <th scope="col" className={classes.wide}>
            {texts.placed}
          </th>
          <th scope="col" data-align="right">
            {texts.stake}
          </th>
          <th scope="col" data-align="right">
            {texts.won}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row._id}>
            <td>
              <ObjectLink className={classes.code} about={{ kind: 'ticket', id: row.ticketId }}>
                {row.ticketId}
              </ObjectLink>
            </td>
            <td>
              <ObjectLink about={{ kind: 'account', id: row.userId, role: row.role }}>{row.username}</ObjectLink>
            </td>
            <td className={classes.wide}>
              <DateTime value={row.placedAt} />
            </td>
            <td data-align="right">
              <Points value={row.playpoints} />
            </td>
            <td data-align="right">{row.winpoints === null ? '–' : <Points value={row.winpoints} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
