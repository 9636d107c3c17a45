import { confirmPassword, login } from '@drawhouse/contract/auth/auth';
import {
  addPasskey,
  beginPasskey,
  confirmFactors,
  finishSignIn,
  listFactors,
  removeFactor,
  signInFactors,
} from '@drawhouse/contract/auth/factors';
import { afterAll, expect, it } from 'vitest';
import { ownSite } from './passkeys.ts';
import { createPasskey } from '../../../test/clients/software-passkey.ts';
import { onFreshNetworks, type As, type Network, type TestApp } from '../../../test/harness.ts';
import { PASSWORD } from '../../../test/test-password.ts';

const SITE = 'https://house.example';

let t: TestApp;
let net: Network;

onFreshNetworks((...both) => ([t, net] = both));
afterAll(() => t.expectBooksToBalance());

interface Answer {
  readonly code?: string;
  readonly success: boolean;
  readonly challenge: string;
  readonly setup: string;
  readonly kinds: string[];
  readonly options: never;
  readonly passkey?: never;
  readonly elevation?: string;
}

async function at(site: string, route: { method: string; path: string }, body?: object, as: As = {}): Promise<Answer> {
  return (await t.send(route.method, `/api/${route.path}`, as, body, { origin: site, host: 'house.example' }))
    .body as unknown as Answer;
}

async function withPasskey() {
  const passkey = createPasskey(SITE);
  const { setup, options } = await at(SITE, beginPasskey, undefined, net.retailer);
  const body = { setup, name: 'Laptop', passkey: passkey.make(options) };
  expect(await at(SITE, addPasskey, body, net.retailer)).toMatchObject({ success: true });
  t.clock.advance(1_000);
  return passkey;
}

async function confirmBy(passkey: ReturnType<typeof createPasskey>): Promise<Answer> {
  const { challenge, passkey: options } = await at(SITE, confirmFactors, undefined, net.retailer);
  return at(SITE, confirmPassword, { challenge, passkey: passkey.use(options!) }, net.retailer);
}

async function challengeOf(): Promise<string> {
  return (await t.call(login, { body: { username: net.retailer.username, password: PASSWORD, elevation: true } })).body
    .challenge!;
}

it('a passkey signs in once per challenge, at its own host only', async () => {
  const passkey = await withPasskey();
  const challenge = await challengeOf();
  const offered = await at(SITE, signInFactors, { challenge });
  expect(offered.kinds).toEqual(['passkey', 'codes']);
  expect(await at('https://evil.example', signInFactors, { challenge })).toMatchObject({ kinds: ['codes'] });
  const body = { challenge, passkey: passkey.use(offered.passkey!) };
  expect((await at('https://evil.example', finishSignIn, body)).code).toBe('WRONG_FACTOR');
  expect(await at(SITE, finishSignIn, body)).toMatchObject({ success: true, roles: 'retailer' });
  expect((await at(SITE, finishSignIn, body)).code).toBe('WRONG_FACTOR');
  t.clock.advance(1_000);
  const other = { challenge: await challengeOf(), passkey: body.passkey };
  expect((await at(SITE, finishSignIn, other)).code, 'the signature of another challenge').toBe('WRONG_FACTOR');
});

it('a passkey of somebody else, or made for another page, does not count', async () => {
  await withPasskey();
  const stranger = createPasskey(SITE);
  const challenge = await challengeOf();
  const { passkey } = await at(SITE, signInFactors, { challenge });
  expect((await at(SITE, finishSignIn, { challenge, passkey: stranger.use(passkey!) })).code).toBe('WRONG_FACTOR');
  const { setup, options } = await at(SITE, beginPasskey, undefined, net.distributor);
  const elsewhere = { setup, name: 'x', passkey: createPasskey('https://evil.example').make(options) };
  expect((await at(SITE, addPasskey, elsewhere, net.distributor)).code).toBe('WRONG_FACTOR');
  expect((await at('http://192.0.2.1', beginPasskey, undefined, net.distributor)).code).toBe('RULE_REFUSED');
});

it.each([
  [undefined, 'https://house.example', 'house.example', true],
  [undefined, 'http://localhost:3000', 'localhost:3000', true],
  [undefined, 'https://evil.example', 'house.example', false],
  [undefined, undefined, 'house.example', false],
  ['https://house.example/', 'https://house.example', 'inner:3000', true],
  ['https://house.example', 'https://evil.example', 'evil.example', false],
  ['https://house.example', 'http://house.example', 'house.example', false],
])('with PUBLIC_URL %s, a page at %s that asks %s has passkeys: %s', (publicUrl, origin, host, has) => {
  const headers: Record<string, string | undefined> = { origin, host };
  expect(ownSite({ publicUrl }, (name) => headers[name]) !== undefined).toBe(has);
});

it('a removed passkey neither finishes a sign-in that has begun nor confirms', async () => {
  const passkey = await withPasskey();
  const other = createPasskey(SITE);
  const { elevation } = await confirmBy(passkey);
  const by = { ...net.retailer, elevation: elevation! };
  const { setup, options } = await at(SITE, beginPasskey, undefined, by);
  await at(SITE, addPasskey, { setup, name: 'Phone', passkey: other.make(options) }, by);
  const [signIn, confirmation] = [await challengeOf(), await at(SITE, confirmFactors, undefined, net.retailer)];
  const offered = await at(SITE, signInFactors, { challenge: signIn });
  const { data } = await t.ok(listFactors, {}, net.retailer);
  const number = String(data.find(({ name }) => name === 'Laptop')!.number);
  await t.ok(removeFactor, { params: { number } }, by);
  const answer = passkey.use(offered.passkey!);
  expect((await at(SITE, finishSignIn, { challenge: signIn, passkey: answer })).success).toBe(false);
  const body = { challenge: confirmation.challenge, passkey: passkey.use(confirmation.passkey!) };
  expect((await at(SITE, confirmPassword, body, net.retailer)).code).toBe('WRONG_FACTOR');
});

it('a passkey confirms sensitive calls of its login', async () => {
  const passkey = await withPasskey();
  const { challenge, passkey: options } = await at(SITE, confirmFactors, undefined, net.retailer);
  const body = { challenge, passkey: passkey.use(options!) };
  expect((await at(SITE, confirmPassword, body, net.distributor)).success).toBe(false);
  expect((await at(SITE, confirmPassword, body, net.retailer)).elevation).toBeDefined();
  expect((await at(SITE, confirmPassword, body, net.retailer)).code).toBe('WRONG_FACTOR');
});
