import { expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './password.ts';

it("hashes with argon2id at OWASP's cost and verifies the password", async () => {
  const hash = await hashPassword('correct horse battery');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await verifyPassword('correct horse battery', hash)).toBe(true);
  expect(await verifyPassword('Correct horse battery', hash)).toBe(false);
  expect(await hashPassword('correct horse battery'), 'salted').not.toBe(hash);
});

it('counts every character as typed, up to the longest password', async () => {
  const typed = ` Ａb${'c'.repeat(195)} d`;
  const hash = await hashPassword(typed);
  const others = [typed.trim(), typed.toLowerCase(), typed.normalize('NFKC'), `${typed.slice(0, -1)}e`];
  expect(await verifyPassword(typed, hash)).toBe(true);
  expect(await Promise.all(others.map((other) => verifyPassword(other, hash)))).toEqual(others.map(() => false));
});

it('rejects passwords of missing accounts', async () => {
  expect(await verifyPassword('correct horse battery', null)).toBe(false);
});

it('verifies a password hashed at another cost', async () => {
  const old = '$argon2id$v=19$m=8,t=1,p=1$dGhlIHNhbWUgZm9yIGFsbA$cOiKVx6KvngBzTfUaXTFeYZ21CnzkweNPeZCm0hclpw';
  expect(await verifyPassword('correct horse battery', old)).toBe(true);
});

it('refuses a stored hash of another kind', async () => {
  await expect(verifyPassword('correct horse battery', '$2b$10$abc')).rejects.toThrow('not argon2id');
});

it.each(['m=4194304,t=2,p=1', 'm=19456,t=4294967295,p=1', 'm=19456,t=2,p=16777215'])(
  'refuses a stored hash of excessive cost: %s',
  async (cost) => {
    const hash = `$argon2id$v=19$${cost}$dGhlIHNhbWUgZm9yIGFsbA$cOiKVx6KvngBzTfUaXTFeYZ21CnzkweNPeZCm0hclpw`;
    await expect(verifyPassword('correct horse battery', hash)).rejects.toThrow('has a higher cost');
  },
);
