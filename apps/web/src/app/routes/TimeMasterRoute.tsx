import { TimeListPage } from '../../features/games/TimeListPage.tsx';
import { lazyPage } from '../lazyPage.ts';

const AddTimePage = lazyPage(async () => (await import('../../features/games/AddTimePage.tsx')).AddTimePage);
const EditTimePage = lazyPage(async () => (await import('../../features/games/EditTimePage.tsx')).EditTimePage);

/** List, `create`, or `edit/{id}` and `{any}/edit/{id}`. */
export function TimeMasterRoute({ rest }: { rest: readonly string[] }) {
  const [action, id] = rest.slice(-2);
  if (rest.length >= 2 && action === 'edit' && id !== undefined) return <EditTimePage id={id} />;
  return rest[0] === 'create' ? <AddTimePage /> : <TimeListPage />;
}
