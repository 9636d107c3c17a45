import { GameListPage } from '../../features/games/GameListPage.tsx';
import { lazyPage } from '../lazyPage.ts';

const AddGamePage = lazyPage(async () => (await import('../../features/games/AddGamePage.tsx')).AddGamePage);
const EditGamePage = lazyPage(async () => (await import('../../features/games/EditGamePage.tsx')).EditGamePage);

/** Catalog, `create`, or `edit/{id}` and `{any}/edit/{id}`. */
export function GameMasterRoute({ rest }: { rest: readonly string[] }) {
  const [action, id] = rest.slice(-2);
  if (rest.length >= 2 && action === 'edit' && id !== undefined) return <EditGamePage id={id} />;
  return rest[0] === 'create' ? <AddGamePage /> : <GameListPage />;
}
