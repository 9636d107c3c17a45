import { randomBytes, randomUUID } from 'node:crypto';
import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { session } from '@drawhouse/contract/auth/auth';
import { createSemaphore } from '../../apps/server/src/platform/time/semaphore.ts';
import { CallFailed, signedIn, type Call, type Credentials } from '../../tools/demo/client.ts';
import { BadOption, type PlayersFrom } from './options.ts';

export interface NewPlayers {
  readonly players: readonly Credentials[];
  /** In points. */
  readonly close: () => Promise<number>;
}

/** Each call checks the operator's password; the server checks one at a time. */
const AT_ONCE = 4;
const PASSWORD_BYTES = 12;

/**
 * Makes players below a retailer, with the operator's credit; a superadmin issues missing credit. `say` announces
 * changes.
 */
export async function makePlayers(
  call: Call,
  operator: Extract<PlayersFrom, { kind: 'operator' }>,
  count: number,
  say: (sentence: string) => void,
): Promise<NewPlayers> {
  const { username, password, credit } = operator;
  const asOperator = signedIn(call, { username, password });
  const { user } = await asOperator(session, {});
  const retailer = await retailerOf(asOperator, user, operator.retailer);
  const lacks = count * credit - user.walletBalance;
  if (lacks > 0 && user.role !== 'superadmin')
    throw new BadOption(
      `${username} has ${user.walletBalance} points; ${count} players with ${credit} each need ${count * credit}. ` +
        'Give the account more, or ask for fewer --players or less --credit.',
    );
  const prefix = `sim-${randomBytes(3).toString('hex')}-`;
  const width = String(count).length;
  say(
    `Making ${count} players below the retailer ${retailer.username}, ${prefix}… by name, each with ${credit} points of ${username}.`,
  );
  if (lacks > 0) {
    say(`${username} issues ${lacks} points for them.`);
    const body = { toUserId: user._id, adjustAmount: lacks, transactionType: 'credit' as const, password };
    await asOperator(accountRoutes.superadmin.creditAdjust, { body }, { idempotencyKey: randomUUID() });
  }

  const inTurn = createSemaphore(AT_ONCE).run;
  const created: { id: string; credentials: Credentials }[] = [];
  const make = async (number: number): Promise<void> => {
    const credentials = {
      username: `${prefix}${String(number).padStart(width, '0')}`,
      password: randomBytes(PASSWORD_BYTES).toString('base64url'),
    };
    const body = { ...credentials, commission: 0, note: 'Simulation', refId: retailer.id };
    const { data } = await asOperator(accountRoutes.user.create, { body });
    created.push({ id: data._id, credentials });
    await asOperator(
      accountRoutes.user.creditTransfer,
      { body: { toUserId: data._id, transferAmount: credit, password } },
      { idempotencyKey: randomUUID() },
    );
  };
  const closeOne = async (id: string): Promise<number> => {
    await asOperator(accountRoutes.user.toggleStatus, { params: { userId: id, action: 'deactivate' } });
    const { data } = await asOperator(accountRoutes.user.get, { params: { id } });
    const { walletBalance } = data;
    if (walletBalance > 0)
      await asOperator(
        accountRoutes.user.creditAdjust,
        { body: { toUserId: id, adjustAmount: walletBalance, transactionType: 'debit', password } },
        { idempotencyKey: randomUUID() },
      );
    return walletBalance;
  };
  const close = async (): Promise<number> => {
    const points = await Promise.all(created.map(({ id }) => inTurn(() => closeOne(id))));
    return points.reduce((sum, each) => sum + each, 0);
  };
  try {
    await Promise.all(Array.from({ length: count }, (_, index) => inTurn(() => make(index + 1))));
  } catch (error) {
    await close();
    throw error;
  }
  return { players: created.map(({ credentials }) => credentials), close };
}

/** Takes the operator itself, the named retailer, or the only one below. */
async function retailerOf(
  call: Call,
  { _id: id, username, role }: { _id: string; username: string; role: string },
  named: string | undefined,
): Promise<{ id: string; username: string }> {
  if (role === 'user')
    throw new BadOption(`${username} is a player, and has nobody below it. Name a retailer or who is above one.`);
  if (role === 'retailer') {
    if (named !== undefined && named !== username)
      throw new BadOption(`${username} is a retailer: its players are its own. Leave --retailer out.`);
    return { id, username };
  }
  const query = { pageSize: '100', sort: 'username', ...(named !== undefined && { search: named }) };
  const { data, total } = await call(accountLists.retailer.route, { query }).catch((error: unknown) => {
    if (error instanceof CallFailed && error.status === 403) throw new BadOption(`${username} may not see retailers.`);
    throw error;
  });
  const found = named === undefined ? data : data.filter((row) => row.username === named);
  const [only] = found;
  if (only && found.length === 1 && (named !== undefined || total === 1))
    return { id: only._id, username: only.username };
  if (named !== undefined) throw new BadOption(`There is no retailer ${named} below ${username}.`);
  if (!only) throw new BadOption(`${username} has no retailer below it, and players need one.`);
  const names = found.slice(0, 10).map((row) => row.username);
  throw new BadOption(
    `Say below which of its ${total} retailers by --retailer: ${names.join(', ')}${total > 10 ? ' …' : ''}.`,
  );
}
