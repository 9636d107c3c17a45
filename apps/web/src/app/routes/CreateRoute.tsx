import { useParams } from '@tanstack/react-router';
import { CreateAccountPage } from '../../features/accounts/CreateAccountPage.tsx';
import { useUser } from '../../lib/useSession.ts';
import { findStaffPage } from '../staffPages.ts';

/** The create form of the level named by the base. */
export function CreateRoute() {
  const { base } = useParams({ from: '/$role/$base/create' });
  const level = findStaffPage(useUser().role, base)?.level;
  return level ? <CreateAccountPage key={level} level={level} /> : null;
}
