import { GameListPage } from '../../features/games/catalog/GameListPage.tsx';
import { lazyPage } from '../../lib/lazyParts.ts';
import { TimeListPage } from '../../features/games/times/TimeListPage.tsx';

const AddGamePage = lazyPage(async () => (await import('../../features/games/catalog/GamePages.tsx')).AddGamePage);
const EditGamePage = lazyPage(async () => (await import('../../features/games/catalog/GamePages.tsx')).EditGamePage);

/** Handles `create`, or `edit/{id}` and `{any}/edit/{id}`. */
export function GameMasterRoute({ rest }: { rest: readonly string[] }) {
  const [action, id] = rest.slice(-2);
  if (rest.length >= 2 && action === 'edit' && id !== undefined) return <EditGamePage id={id} />;
  return rest[0] === 'create' ? <AddGamePage /> : <GameListPage />;
}

const AddTimePage = lazyPage(async () => (await import('../../features/games/times/TimePages.tsx')).AddTimePage);
const EditTimePage = lazyPage(async () => (await import('../../features/games/times/TimePages.tsx')).EditTimePage);

const ScheduleListPage = lazyPage(
  async () => (await import('../../features/games/times/ScheduleListPage.tsx')).ScheduleListPage,
);
const SchedulePage = lazyPage(async () => (await import('../../features/games/times/SchedulePage.tsx')).SchedulePage);

/** Handles `create`, or `edit/{id}` and `{any}/edit/{id}`; the same below `schedules`. */
export function TimeMasterRoute({ rest }: { rest: readonly string[] }) {
  const [action, id] = rest.slice(-2);
  if (rest[0] === 'schedules') {
    if (action === 'edit' && id !== undefined) return <SchedulePage id={id} />;
    return rest[1] === 'create' ? <SchedulePage /> : <ScheduleListPage />;
  }
  if (rest.length >= 2 && action === 'edit' && id !== undefined) return <EditTimePage id={id} />;
  return rest[0] === 'create' ? <AddTimePage /> : <TimeListPage />;
}
