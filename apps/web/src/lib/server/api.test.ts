import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { login, logout, session } from '@drawhouse/contract/auth/auth';
import { exportBackup } from '@drawhouse/contract/backup/backups';
import { changeGame } from '@drawhouse/contract/games/game-catalogue';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, isUnconfirmed } from '@drawhouse/session/api-client';
import { accountFormTexts as accounts } from '../../features/accounts/edit/accountFormTexts.ts';
import { creditTexts as credit } from '../../features/credit/creditTexts.ts';
import { commonTexts } from '../../commonTexts.ts';
import { call, errorMessage } from './api.ts';
import { uncertainOutcomeText, hasUncertainOutcome } from '../form/formErrors.ts';
import { answerConfirmation, getConfirmation } from '../session/confirmation.ts';

// The session is the browser's.
vi.mock('../session/session.ts', () => ({ getSession: () => null, noteServerDate: () => undefined }));
vi.mock('@drawhouse/session/server-reach', () => ({ noteAnswer: () => undefined, reportNoAnswer: () => undefined }));
vi.mock('@drawhouse/session/newer-build', () => ({ noteBuild: () => undefined }));
stubPage();

function stubPage(): void {
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('document', {});
}

const { failed } = commonTexts.auth;

async function thrownBy(answer: () => Promise<Response>, fallback?: string): Promise<unknown> {
  vi.stubGlobal('fetch', answer);
  const body = { username: 'a', password: 'secret' };
  return call(login, { body }, fallback === undefined ? {} : { fallback }).then(
    () => expect.unreachable('it was not refused'),
    (error: unknown) => error,
  );
}

it('repeats a call at the cell that a refusal names, once per cell', async () => {
  const refusals = ['cell-2', 'cell-3;from=cell-1', 'cell-2'];
  const asked: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_url: string, { headers }: RequestInit) => {
    asked.push(new Headers(headers).get('X-Cell'));
    const body = { success: false, code: 'OTHER_CELL', message: 'Elsewhere.' };
    return Response.json(body, { status: 421, headers: { 'X-Cell': refusals.shift()! } });
  });
  await expect(call(session, {})).rejects.toMatchObject({ code: 'OTHER_CELL' });
  expect(asked).toEqual([null, 'cell-2', 'cell-3;from=cell-1']);
});

describe('the message of a failed call', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    stubPage();
  });

  it("is the server's", async () => {
    const answer = Response.json({ success: false, code: 'WRONG', message: 'Wrong password.' }, { status: 401 });
    expect(errorMessage(await thrownBy(async () => answer, failed))).toBe('Wrong password.');
  });

  it.each([
    ["a proxy's page", () => new Response('<h1>Bad Gateway</h1>', { status: 502 })],
    ['an empty body', () => new Response(null, { status: 500 })],
    ['an empty message', () => Response.json({ success: false, message: '' }, { status: 400 })],
    ['a refusal with status 200', () => Response.json({ success: false })],
  ])("is the call's own for %s, otherwise the default", async (_, answer) => {
    expect(errorMessage(await thrownBy(async () => answer(), failed))).toBe('Login failed.');
    expect(errorMessage(await thrownBy(async () => answer()))).toBe('Something went wrong');
  });

  it('has its own sentence without an answer', async () => {
    const error = await thrownBy(() => Promise.reject(new TypeError('Failed to fetch')), failed);
    expect(errorMessage(error, commonTexts.auth.error)).toBe('An unexpected error occurred');
  });

  it("is the page's for other errors", () => {
    expect(errorMessage(new Error('quota'), commonTexts.auth.error)).toBe('An error occurred during login.');
    expect(errorMessage(new Error('quota'))).toBe('Something went wrong');
  });

  it('is empty on success', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ success: true }));
    await expect(call(logout, {}, { fallback: commonTexts.auth.logoutFailed })).resolves.toEqual({ success: true });
  });
});

describe('an unanswered call', () => {
  it('times out after a minute if it only reads, except slow ones and commands', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ success: true }));
    const patience = vi.spyOn(AbortSignal, 'timeout');
    await call(exportBackup, {});
    await call(login, { body: { username: 'a', password: 'secret' } });
    expect(patience).not.toHaveBeenCalled();
    await call(session, {});
    expect(patience.mock.calls).toEqual([[60_000]]);
    patience.mockRestore();
  });
});

describe('specification sentences for refusals without a message', () => {
  it('match to the letter', () => {
    const { auth } = commonTexts;
    expect(auth.logoutFailed).toBe('Logout failed.');
    expect(accounts.createFailed).toMatchObject({
      admin: 'Failed to create admin.',
      superdistributor: 'Failed to create superdistributors.',
      distributor: 'Failed to create superdistributors.',
      retailer: 'Failed to create superdistributors.',
    });
    expect(accounts.updateFailed).toBe('server error');
    expect(accounts.toggleFailed).toBe('Failed to update user status.');
    expect(accounts.removeFailed).toMatchObject({
      admin: 'Failed to delete admin.',
      superdistributor: 'Failed to delete SuperDistributors.',
      distributor: 'Failed to delete SuperDistributors.',
      retailer: 'Failed to delete SuperRetailerss.',
    });
    expect(credit.transferFailed).toBe('Unknown error occurred during credit transfer.');
    expect(credit.adjustFailed).toBe('An error occurred.');
  });
});

describe('a call that requires the password again', () => {
  const given = { password: 'another horse battery', note: '  as typed ' };
  const files = new FormData();
  files.append('images.0', new Blob(['picture']));
  function sendBoth() {
    const sent: unknown[] = [];
    vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
      sent.push(body);
      return sent.length > 2
        ? Response.json({ success: true })
        : Response.json({ success: false, code: 'CONFIRM_PASSWORD', message: 'Again' }, { status: 403 });
    });
    const params = { id: '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d' };
    const calls = [
      call(accountRoutes.retailer.update, { params, body: given }),
      call(changeGame, { params, body: files as never }),
    ];
    return { sent, answers: Promise.allSettled(calls) };
  }
  afterEach(() => {
    vi.unstubAllGlobals();
    stubPage();
  });

  it('asks once for all waiting calls and resends each unchanged', async () => {
    const { sent, answers } = sendBoth();
    await expect.poll(() => [sent.length, getConfirmation() !== null]).toEqual([2, true]);
    const asked = getConfirmation();
    answerConfirmation(true);
    expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(sent).toEqual([JSON.stringify(given), files, JSON.stringify(given), files]);
    expect(sent[3], 'the same files').toBe(files);
    expect(getConfirmation(), 'nothing is asked any more').toBeNull();
    const later = sendBoth();
    await expect.poll(() => [later.sent.length, getConfirmation()]).toEqual([2, asked! + 1]);
    answerConfirmation(false);
    await later.answers;
  });

  it('is refused without the password, and nothing is resent', async () => {
    const { sent, answers } = sendBoth();
    await expect.poll(() => [sent.length, getConfirmation() !== null]).toEqual([2, true]);
    answerConfirmation(false);
    const reasons = (await answers).map((each) => each.status === 'rejected' && isUnconfirmed(each.reason));
    expect(reasons).toEqual([true, true]);
    expect(sent).toHaveLength(2);
  });
});

describe('the hint that a credit movement may have happened', () => {
  const { unanswered, unclear, notSent } = commonTexts.credit;
  const lost = (sent: boolean) => new ApiError('NO_RESPONSE', 'An unexpected error occurred', { sent });

  it.each([
    ['no answer', lost(true), true, unanswered],
    ['nothing sent', lost(false), false, notSent],
    [
      'an unknown outcome',
      new ApiError('OUTCOME_UNKNOWN', 'The server lost its database.', { status: 503 }),
      true,
      unclear,
    ],
    ["a proxy's answer", new ApiError('UNKNOWN', 'Bad Gateway', { status: 502 }), true, unclear],
    ['a truncated answer', new ApiError('UNREADABLE', 'Failed', { status: 200 }), true, unclear],
    // Refused before any work.
    ['a server that is not ready', new ApiError('NOT_READY', 'The server is not ready.', { status: 503 }), false, null],
    ['a refusal', new ApiError('WRONG_PASSWORD', 'The password is wrong.', { status: 403 }), false, null],
    ['an error before the call', new Error('x'), false, null],
  ])('appears for %s', (_, error, inDoubt, text) => {
    expect(hasUncertainOutcome(error)).toBe(inDoubt);
    expect(uncertainOutcomeText(error, commonTexts.credit)).toBe(text);
  });

  it('mentions a missing answer only if none came', () => {
    expect(unanswered).toMatch(/^No answer/);
    expect(unclear).not.toMatch(/answer/);
  });
});

describe('an early answer', () => {
  const answer = (name: string) => Promise.resolve(Response.json({ success: true, name }));
  const url = `/api/${session.path}`;

  afterEach(() => {
    vi.unstubAllGlobals();
    stubPage();
  });

  it('serves one call, later calls ask the server', async () => {
    vi.stubGlobal('early', { Authorization: null, answers: { [url]: answer('early') } });
    vi.stubGlobal('fetch', () => answer('late'));
    expect([await call(session, {}), await call(session, {})]).toMatchObject([{ name: 'early' }, { name: 'late' }]);
  });

  it('of another session serves no call', async () => {
    vi.stubGlobal('early', { Authorization: 'Bearer other', answers: { [url]: answer('early') } });
    vi.stubGlobal('fetch', () => answer('late'));
    expect(await call(session, {})).toMatchObject({ name: 'late' });
  });
});
