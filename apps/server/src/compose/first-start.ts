import { createFirstSuperadmin } from '../accounts/change/create-account.ts';
import { hashFirstPassword } from '../auth/passwords/password-policy.ts';
import { ensureCatalogue } from '../games/catalogue/built-in-games.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Services } from '../platform/services.ts';

export const FIRST_SUPERADMIN = 'superadmin';

export async function ensureFirst(services: Services, password: string): Promise<string | undefined> {
  await ensureCatalogue(services);
  const create = async (username: string): Promise<string | undefined> => {
    const isNew = await createFirstSuperadmin(services, username, () => hashFirstPassword(password, username));
    return isNew ? username : undefined;
  };
  const { directory } = services;
  return create(FIRST_SUPERADMIN).catch((error: unknown) => {
    // Another cell's superadmin has the name.
    if (!directory || !(error instanceof CallError) || error.code !== 'USERNAME_TAKEN') throw error;
    return create(`${FIRST_SUPERADMIN}-${directory.cell}`);
  });
}
