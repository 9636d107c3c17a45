import { may } from '../../lib/session/rights.ts';
import { LiveTablesPage } from '../../features/live/tables/LiveTablesPage.tsx';
import { lazyPart } from '../../lib/lazyParts.ts';

const GamesReturns = lazyPart(async () => (await import('../../features/games/catalog/GameReturns.tsx')).GamesReturns);

const TableLimits = lazyPart(async () => (await import('../../features/games/settings/TableLimits.tsx')).TableLimits);

export function LiveListRoute() {
  return <LiveTablesPage Limits={TableLimits} actionFor={may('reports') ? returnsButton : undefined} />;
}

function returnsButton(used: ReadonlySet<string>) {
  return <GamesReturns used={used} />;
}
