import { weekSheet, type WeekSheetRow } from '@drawhouse/contract/weeks/week-sheet';
import { addDays } from '@drawhouse/rules/time/zone-days';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { Button, Menu } from '@mantine/core';
import { IconCash, IconChecks, IconDots, IconFileCertificate, IconUser } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { useList } from '../../lib/list/useList.ts';
import { go, usePathname, useSearch } from '../../lib/navigation.ts';
import { pagePath, withSearch } from '../../lib/paths.ts';
import { useUser } from '../../lib/session/session.ts';
import { HeadButton } from '../../ui/page/PageHeader.tsx';
import { useIsPhone } from '../../ui/useWidth.ts';
import { ListPage } from '../../ui/page/ListPage.tsx';
import { PathLink } from '../../ui/page/PathLink.tsx';
import { SelectionBar } from '../../ui/table/rows/SelectionBar.tsx';
import { useSelection } from '../../ui/table/rows/useSelection.ts';
import type { Cells } from '../../ui/table/columns/listColumns.tsx';
import { AccountWeekPage } from './AccountWeekPage.tsx';
import { figureLinks } from './figureLinks.tsx';
import { PaymentDialog } from './PaymentDialog.tsx';
import { SettlePage } from './SettlePage.tsx';
import { TermsDialog } from './TermsDialog.tsx';
import { WeekSteps } from './WeekSteps.tsx';
import classes from './weeks.module.css';
import { settleTexts, weeksTexts } from './weeksTexts.ts';

/** `account`: the days of one account. `settle`: closing the week. */
export function WeekPage() {
  const { account, settle } = useSearch();
  if (settle !== undefined) return <SettlePage />;
  return account === undefined ? <SheetPage /> : <AccountWeekPage />;
}

function SheetPage() {
  const path = usePathname();
  const view = useList(weekSheet, {
    name: 'week',
    queryKey: ['reports', 'week'],
    keptParams: ['id', 'day'],
  });
  const { answer, state } = view;
  const { day } = state;
  const parent = answer?.parents.at(-1);
  const range = answer?.week;
  const { hrefOf, cells } = useSheetCells({ parent, week: range, day });
  const selection = useSelection(keyOf, view.identity);
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = (dialog: Asked['dialog'], rows: Asked['rows']) =>
    setAsked((now) => ({ dialog, rows, opened: true, times: (now?.times ?? 0) + 1 }));

  return (
    <>
      <ListPage
        view={view}
        title={weeksTexts.title}
        of={state['id'] === undefined ? undefined : parent?.username}
        rowsName="accounts"
        rowKey={keyOf}
        rowLabel={(row) => row.username}
        rowHref={hrefOf}
        cells={cells}
        back={state['id'] === undefined && <OtherPages day={day} />}
        actions={(row) => [
          { id: 'pay', label: weeksTexts.pay, icon: IconCash, prominent: true, onClick: () => ask('pay', [row]) },
          { id: 'terms', label: weeksTexts.setTerms, icon: IconFileCertificate, onClick: () => ask('terms', [row]) },
        ]}
        action={
          state['id'] === undefined && (
            <HeadButton
              name={settleTexts.settle}
              icon={IconChecks}
              disabled={!range}
              onClick={() => go.to(withSearch(path, { settle: 'yes', day: day ?? addDays(range!.from, -7) }))}
            />
          )
        }
        selection={selection}
        selectionBar={
          <SelectionBar view={view} selection={selection}>
            <Button size="xs" variant="default" onClick={() => ask('terms', selection.rows)}>
              {weeksTexts.setTerms}
            </Button>
          </SelectionBar>
        }
        controls={<WeekSteps week={range} onDay={(next) => view.change({ day: next })} />}
        empty={weeksTexts.empty}
      >
        <p className={classes.about}>
          {range && <b className={classes.onPaper}>{weeksTexts.range(range.from, range.to)}. </b>}
          {weeksTexts.about}
        </p>
      </ListPage>
      {asked && parent && (
        <SheetDialog
          key={asked.times}
          asked={asked}
          parent={parent.username}
          onClose={() => setAsked({ ...asked, opened: false })}
        />
      )}
    </>
  );
}

function OtherPages({ day }: { day: string | undefined }) {
  const { role, _id } = useUser();
  const path = usePathname();
  const phone = useIsPhone();
  const pages = [
    ...(role === 'superadmin'
      ? []
      : [{ name: weeksTexts.own, icon: IconUser, href: withSearch(path, { account: _id, day }) }]),
    { name: weeksTexts.payments, icon: IconCash, href: pagePath(role, 'payments') },
  ];
  if (!phone)
    return pages.map(({ href, ...page }) => (
      <HeadButton key={href} {...page} variant="default" onClick={() => go.to(href)} />
    ));
  return (
    <Menu position="bottom-end" shadow="md" portalProps={{ target: 'main' }} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <HeadButton name={weeksTexts.otherPages} icon={IconDots} variant="default" />
      </Menu.Target>
      <Menu.Dropdown aria-label={weeksTexts.otherPages}>
        {pages.map(({ name, icon: Icon, href }) => (
          <Menu.Item key={href} leftSection={<Icon size={16} aria-hidden />} onClick={() => go.to(href)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface Asked {
  readonly dialog: 'pay' | 'terms';
  readonly rows: readonly WeekSheetRow[];
  readonly opened: boolean;
  readonly times: number;
}

interface SheetDialogProps {
  asked: Asked;
  parent: string;
  onClose: () => void;
}

function SheetDialog({ asked: { dialog, rows, opened }, parent, onClose }: SheetDialogProps) {
  return dialog === 'pay' ? (
    <PaymentDialog account={{ ...rows[0]!, parent }} opened={opened} onClose={onClose} />
  ) : (
    <TermsDialog accounts={rows} opened={opened} onClose={onClose} />
  );
}

const keyOf = (row: WeekSheetRow): string => row.id;

interface OfSheet {
  parent: Parent | undefined;
  week: { readonly from: string; readonly to: string } | undefined;
  day: string | undefined;
}
type Parent = RouteAnswer<(typeof weekSheet)['route']>['parents'][number];

/** Links each figure to the rows it is summed from. Stable between renders. */
function useSheetCells({ parent, week: range, day }: OfSheet) {
  const { role } = useUser();
  const path = usePathname();
  const hrefOf = useCallback((row: WeekSheetRow) => withSearch(path, { account: row.id, day }), [path, day]);
  const turnover = withSearch(pagePath(role, 'turnoverreport'), {
    id: parent?.id,
    role: parent?.role,
    startDate: range?.from,
    endDate: range?.to,
  });
  const paymentsHref = useCallback(
    (row: WeekSheetRow) =>
      withSearch(pagePath(role, 'payments'), { accountId: row.id, atFrom: range?.from, atTo: range?.to }),
    [role, range?.from, range?.to],
  );
  const cells = useMemo(() => cellsOf(hrefOf, turnover, paymentsHref), [hrefOf, turnover, paymentsHref]);
  return { hrefOf, cells };
}

function cellsOf(
  hrefOf: (row: WeekSheetRow) => string,
  turnover: string,
  paymentsHref: (row: WeekSheetRow) => string,
): Cells<WeekSheetRow> {
  return {
    username: (row) => (
      <PathLink href={hrefOf(row)} title={row.username}>
        {row.username}
      </PathLink>
    ),
    ...figureLinks(['carried', 'given', 'taken', 'balance'], hrefOf),
    ...figureLinks(['received', 'paid'], paymentsHref),
    ...figureLinks(['play', 'win', 'commission', 'net'], () => turnover),
  };
}
