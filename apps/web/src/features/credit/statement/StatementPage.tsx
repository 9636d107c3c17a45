import type { Role } from '@drawhouse/contract/core/primitives';
import { type Movement, STATEMENT_KINDS } from '@drawhouse/contract/credit/credit';
import { aboutAccount, statement } from '@drawhouse/contract/credit/statement';
import { Button, ButtonGroup } from '@mantine/core';
import { periodChange } from '../../../lib/list/listUrl.ts';
import { detailsPath, homePath, pagePath } from '../../../lib/paths.ts';
import { LAST_6_MONTHS, type PeriodId } from '../../../lib/format/periods.ts';
import { useList } from '../../../lib/list/useList.ts';
import { useUser } from '../../../lib/session/session.ts';
import { commonTexts } from '../../../commonTexts.ts';
import { ChoiceButton } from '../../../ui/form/Choices.tsx';
import { ListPage } from '../../../ui/page/ListPage.tsx';
import { PeriodBar } from '../../../ui/filter/PeriodBar.tsx';
import { NotFoundState } from '../../../ui/page/NotFoundState.tsx';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { StatementSummary } from './StatementSummary.tsx';
import { statementTexts, type Wallet, whoseFigures } from './statementTexts.ts';
import classes from './statementCells.module.css';
import { creditTexts } from '../creditTexts.ts';
import { addPoints } from '../../../lib/format/format.ts';
import type { DataColumn } from '../../../ui/table/columns/dataColumn.ts';
import { DateTime } from '../../../ui/mark/DateTime.tsx';
import type { Cells } from '../../../ui/table/columns/listColumns.tsx';
import { ObjectLink } from '../../../ui/mark/ObjectLink.tsx';
import { Points } from '../../../ui/mark/Points.tsx';

const texts = commonTexts.statement;

const START_PERIOD: PeriodId = 2;

export function StatementPage({ id }: { id?: string }) {
  const user = useUser();
  const view = useStatement(id);
  const { answer } = view;
  const wallet = WALLETS.find((name) => name === view.state['wallet']) ?? 'credit';
  const account = answer?.account ?? (id === undefined ? user : undefined);
  const wallets = WALLETS.filter((name) => name !== 'winnings' || name === wallet || account?.role === 'user');

  if (view.missing) {
    return (
      <>
        <PageHeader title={texts.title} />
        <NotFoundState
          what={creditTexts.thisAccount}
          to={{ label: commonTexts.dashboard.label, href: homePath(user.role) }}
        />
      </>
    );
  }
  return (
    <ListPage
      view={view}
      Periods={PeriodBar}
      title={texts.title}
      of={account?.username}
      ofHref={
        account &&
        (account._id === user._id ? pagePath(user.role, 'profile') : detailsPath(user.role, account.role, account._id))
      }
      rowsName="movements"
      rowKey={(row) => row._id}
      rowLabel={(row) => `${STATEMENT_KINDS[row.kind]}: ${row.counterpart}`}
      cells={statementCells}
      phone={phoneColumns}
      controls={
        <WalletChoice
          wallets={wallets}
          chosen={wallet}
          onChoose={(choice) => view.change({ wallet: choice === 'credit' ? undefined : choice })}
        />
      }
      empty={{
        title: creditTexts.noMovementsInThis,
        text: EMPTY[wallet],
        action: view.period.period !== LAST_6_MONTHS && (
          <Button variant="default" onClick={() => view.change(periodChange(LAST_6_MONTHS))}>
            {creditTexts.showLast6Months}
          </Button>
        ),
      }}
    >
      {view.error === null && <Summary view={view} id={id} wallet={wallet} account={account} />}
    </ListPage>
  );
}

function useStatement(id: string | undefined) {
  return useList(statement, {
    name: 'statement',
    queryKey: ['credit', 'statement'],
    fixedParams: { id },
    keptParams: ['wallet'],
    startPeriod: START_PERIOD,
  });
}

interface SummaryProps {
  view: ReturnType<typeof useStatement>;
  id: string | undefined;
  wallet: Wallet;
  account: { readonly _id: string; readonly role: Role; readonly username: string } | undefined;
}

function Summary({ view, id, wallet, account }: SummaryProps) {
  const user = useUser();
  return (
    <>
      <StatementSummary
        id={id}
        wallet={wallet}
        whose={account && whoseFigures(wallet, account.role, account._id === user._id ? null : account.username)}
        range={view.period.range}
        kind={view.state['kind']}
        onKind={(kind) => view.change({ kind })}
      />
      {view.state['kind'] !== undefined && view.older !== null && (view.rows?.length ?? 0) < view.pageSize && (
        <p className={classes.whose}>{statementTexts.lookedSoFar}</p>
      )}
    </>
  );
}

interface WalletChoiceProps {
  wallets: readonly Wallet[];
  chosen: Wallet;
  onChoose: (wallet: Wallet) => void;
}

function WalletChoice({ wallets, chosen, onChoose }: WalletChoiceProps) {
  return (
    <ButtonGroup aria-label={creditTexts.wallet}>
      {wallets.map((wallet) => (
        <ChoiceButton key={wallet} chosen={wallet === chosen} onClick={() => onChoose(wallet)}>
          {WALLET_NAMES[wallet]}
        </ChoiceButton>
      ))}
    </ButtonGroup>
  );
}

const WALLET_NAMES: Record<Wallet, string> = { credit: 'Credit', commission: 'Commission', winnings: 'Winnings' };
const WALLETS = Object.keys(WALLET_NAMES) as Wallet[];

const EMPTY: Record<Wallet, string> = {
  credit: creditTexts.creditComingInOr,
  commission: creditTexts.commissionEarnedOrPaid,
  winnings: creditTexts.unclaimedWinsAndTheir,
};

const { phone, system } = commonTexts.statement;

const statementCells: Cells<Movement> = {
  at: (row) => <DateTime value={row.at} seconds />,
  // Ticket movements have no note.
  note: (row) =>
    row.ticket === null ? (
      <span title={row.note ?? ''}>{row.note}</span>
    ) : (
      <span className={classes.ticket}>{row.ticket}</span>
    ),
  actor: (row) => row.actor ?? (row.kind === 'cleared' ? null : <span className={classes.muted}>{system}</span>),
  credit: (row) => amountOf(row.credit),
  debit: (row) => amountOf(row.debit),
};

const phoneColumns: readonly DataColumn<Movement>[] = [
  {
    id: 'movement',
    header: phone.movement,
    cell: (row) => (
      <span className={classes.twoLines}>
        <ObjectLink about={aboutAccount(row.counterpartId, row.counterpartRole)}>{row.counterpart}</ObjectLink>
        <span className={classes.muted}>
          {STATEMENT_KINDS[row.kind]}
          {row.ticket !== null && ` · ${row.ticket}`}
        </span>
      </span>
    ),
    phoneOnly: true,
  },
  {
    id: 'amount',
    header: phone.amount,
    cell: (row) => (
      <span className={classes.twoLines}>
        <Points value={addPoints(row.credit, -row.debit)} />
        <span className={classes.muted}>
          <DateTime value={row.at} relative />
        </span>
      </span>
    ),
    align: 'right',
    phoneOnly: true,
  },
];

/** Rows of cleared history may have both sides. */
function amountOf(points: number) {
  return points === 0 ? null : <Points value={points} />;
}
