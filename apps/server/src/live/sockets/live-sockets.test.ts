import { beforeEach, expect, it } from 'vitest';
import type { Session } from '../../auth/sessions/sessions.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { LiveSocket, SocketData } from './live-socket.ts';
import { signInSocket } from './live-sockets.ts';

let done: string[];
let isThrottled: boolean;

beforeEach(() => {
  done = [];
  isThrottled = false;
});

function signIn(token?: unknown): Promise<SocketData> {
  const socket = { handshake: { auth: { token } } } as unknown as LiveSocket;
  return signInSocket(
    {
      gate: {
        requireSignIn() {
          done.push('counted');
          if (isThrottled) throw new CallError('THROTTLED');
          return { ip: '10.0.0.1', key: '10.0.0.1' };
        },
        admitBets: () => void done.push('may bet'),
      },
      async authenticate(tried) {
        done.push(`looked up ${JSON.stringify(tried)}`);
        if (!['admin', 'user'].includes(tried)) throw new CallError('NOT_SIGNED_IN');
        return { id: 'session', actor: { role: tried } } as unknown as Session;
      },
      programs: {
        isApiKey: (tried) => tried.startsWith('dhk_'),
        async authenticateKey(tried, ip) {
          done.push(`looked up the key ${tried} from ${ip}`);
          if (tried !== 'dhk_good') throw new CallError('API_KEY_ENDED');
          return { key: { accountId: 'admin', networkId: 1, number: 1 }, actor: { role: 'admin', permissions: [] } };
        },
      },
      budgets: { sessionFound: (found) => void done.push(`has a budget: ${found}`) },
      calls: { refused: () => '1' },
    },
    socket,
  );
}

it('an authenticated socket has its session, no backlog and nothing sent', async () => {
  expect(await signIn('admin')).toEqual({
    token: 'admin',
    session: { id: 'session', actor: { role: 'admin' } },
    isProgram: false,
    address: { ip: '10.0.0.1', key: '10.0.0.1' },
    behindSinceMs: undefined,
    fullAtMs: -Infinity,
    noteRefusal: expect.any(Function),
  });
  expect(done).toEqual(['counted', 'looked up "admin"', 'has a budget: admin']);
});

it("only players' connections accept bets", async () => {
  await signIn('user');
  expect(done.at(-1)).toBe('may bet');
});

it('a program authenticates with its API key, without session, and may bet', async () => {
  const data = await signIn('dhk_good');
  expect(data.isProgram).toBe(true);
  expect(() => data.session).toThrow('no session');
  expect(done).toEqual(['counted', 'looked up the key dhk_good from 10.0.0.1', 'has a budget: dhk_good', 'may bet']);
  await expect(signIn('dhk_ended')).rejects.toThrow(expect.objectContaining({ code: 'API_KEY_ENDED' }));
  expect(done.at(-1)).toBe('looked up the key dhk_ended from 10.0.0.1');
});

it.each([['nonsense'], [undefined], [7], [{ length: 4 }]])(
  'the token %j is rejected and gets no budget',
  async (token) => {
    await expect(signIn(token)).rejects.toThrow(expect.objectContaining({ code: 'NOT_SIGNED_IN' }));
    expect(done).toEqual(['counted', `looked up ${JSON.stringify(typeof token === 'string' ? token : '')}`]);
  },
);

it('looks up no token for an address that signs in too often', async () => {
  isThrottled = true;
  await expect(signIn('admin')).rejects.toThrow(expect.objectContaining({ code: 'THROTTLED' }));
  expect(done).toEqual(['counted']);
});
