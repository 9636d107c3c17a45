import type { Activity } from '@drawhouse/contract/activity/activity';
import { MOVEMENT_KINDS } from '@drawhouse/contract/credit/credit';
import type { DrawPage } from '@drawhouse/contract/reports/object-pages';
import type { TransactionDetails } from '@drawhouse/contract/reports/transactions';
import type { TicketCorrection } from '@drawhouse/contract/tickets/tickets';
import { ApiError } from '@drawhouse/session/api-client';
import { Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { formatExactTime, formatSecond } from '../../../lib/format/format.ts';
import { homePath } from '../../../lib/paths.ts';
import { errorMessage } from '../../../lib/server/api.ts';
import { useUser } from '../../../lib/session/session.ts';
import { commonTexts } from '../../../commonTexts.ts';
import { ObjectLink } from '../../../ui/mark/ObjectLink.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import { ErrorState } from '../../../ui/page/PageStates.tsx';
import { NotFoundState } from '../../../ui/page/NotFoundState.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { objectTexts, objectTexts as texts } from './objectTexts.ts';
import classes from './objects.module.css';

interface ObjectLoadProps<Answer> {
  query: UseQueryResult<Answer>;
  title: string;
  what: string;
  children: (answer: Answer) => ReactNode;
}

/** Missing objects and those outside the viewer's authority look alike. */
export function ObjectLoad<Answer>({
  query: { data, error, refetch },
  title,
  what,
  children,
}: ObjectLoadProps<Answer>) {
  const { role } = useUser();
  const gone = error instanceof ApiError && (error.status === 404 || error.status === 400);
  if (data !== undefined && !gone) return <div className={classes.page}>{children(data)}</div>;
  return (
    <>
      <PageHeader title={title} />
      {gone ? (
        <NotFoundState what={what} to={{ label: commonTexts.dashboard.label, href: homePath(role) }} />
      ) : error ? (
        <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <Stack gap="sm" aria-hidden>
          <Skeleton height={224} />
          <Skeleton height={120} />
          <Skeleton height={120} />
        </Stack>
      )}
    </>
  );
}

interface SectionProps {
  title: string;
  link?: ReactNode;
  children: ReactNode;
}

export function Section({ title, link, children }: SectionProps) {
  return (
    <section className={classes.section} aria-label={title}>
      <div className={classes.head}>
        <h2>{title}</h2>
        {link}
      </div>
      {children}
    </section>
  );
}

export type Fact = readonly [name: string, value: ReactNode];

export function Facts({ facts }: { facts: readonly (Fact | false)[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter((fact) => fact !== false)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}

/** Rows of one object often share a minute. */
export function Second({ value }: { value: string }) {
  return (
    <time dateTime={value} title={formatExactTime(value)}>
      {formatSecond(value)}
    </time>
  );
}

export function Movements({ rows }: { rows: readonly TransactionDetails[] }) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{texts.time}</th>
          <th scope="col">{texts.type}</th>
          <th scope="col" data-align="right">
            {texts.amount}
          </th>
          <th scope="col" data-align="right" className={classes.wide}>
            {texts.balance}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const own = row.credit > 0 ? row.to : row.from;
          return (
            <tr key={row._id}>
              <td>
                <ObjectLink about={{ kind: 'transaction', id: row._id }}>
                  <Second value={row.createdAt} />
                </ObjectLink>
              </td>
              <td>
                {MOVEMENT_KINDS[row.kind]}
                <span className={classes.below}>{texts.walletNames[own.wallet]}</span>
              </td>
              <td data-align="right">
                <Points value={row.credit > 0 ? row.credit : -row.debit} />
              </td>
              <td data-align="right" className={classes.wide}>
                {own.after === null ? '–' : <Points value={own.after} />}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

export function LogSection({ rows }: { rows: readonly Activity[] }) {
  return (
    <Section title={texts.log}>
      {rows.length === 0 ? (
        <p className={classes.muted}>{texts.noLog}</p>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{texts.time}</th>
              <th scope="col">{objectTexts.subject}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row._id}>
                <td>
                  <Second value={row.createdAt} />
                </td>
                <td>
                  <ObjectLink about={row.about}>{row.subject}</ObjectLink>
                  <span className={classes.below}>
                    <ObjectLink about={row.accountId === null ? null : { kind: 'account', id: row.accountId }}>
                      {row.username}
                    </ObjectLink>
                    {row.ipAddress !== '' && `, ${row.ipAddress}`}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

export function DrawCorrections({ rows }: { rows: DrawPage['corrections'] }) {
  if (rows.length === 0) return null;
  return (
    <Section title={texts.corrections}>
      {rows.map((row) => (
        <Facts
          key={row.at}
          facts={[
            [texts.time, <Second key="at" value={row.at} />],
            [texts.result, texts.change(row.before, row.after)],
            [texts.reason, row.reason],
            row.by !== null && row.confirmedBy !== null && [texts.madeBy, texts.correctedBy(row.by, row.confirmedBy)],
            [texts.paid, <Points key="paid" value={row.paid} inline />],
            [texts.takenBack, <Points key="taken" value={row.takenBack} inline />],
            [texts.notTakenBack, <Points key="short" value={row.short} inline />],
            row.doneAt === null && [texts.status, texts.underWay],
          ]}
        />
      ))}
    </Section>
  );
}

export function TicketCorrections({ rows }: { rows: readonly TicketCorrection[] }) {
  const last = rows.at(-1);
  if (!last) return null;
  return (
    <Section title={texts.corrections}>
      {rows.map((row) => (
        <Facts
          key={row.at}
          facts={[
            [texts.time, <Second key="at" value={row.at} />],
            [texts.result, texts.change(row.before, row.after)],
            [texts.reason, row.reason],
            [row.moved < 0 ? texts.takenBack : texts.paid, <Points key="moved" value={Math.abs(row.moved)} inline />],
          ]}
        />
      ))}
      {last.paid > last.win && <p className={classes.muted}>{texts.notTakenBackOf(last.paid - last.win)}</p>}
    </Section>
  );
}
