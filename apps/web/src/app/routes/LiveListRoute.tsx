import { lazy, Suspense } from 'react';
import { LiveTablesPage } from '../../features/live/tables/LiveTablesPage.tsx';

const GamesReturns = lazy(async () => ({
  default: (await import('../../features/games/catalog/GamesReturns.tsx')).GamesReturns,
}));

const TableLimits = lazy(async () => ({
  default: (await import('../../features/games/settings/TableLimits.tsx')).TableLimits,
}));

export function LiveListRoute() {
  return <LiveTablesPage Limits={TableLimits} actionFor={returnsButton} />;
}

function returnsButton(used: ReadonlySet<string>) {
  return (
    <Suspense>
      <GamesReturns used={used} />
    </Suspense>
  );
}
