import { expect, it } from 'vitest';
import type { Manifest } from './manifest.ts';
import { distrustOf, isSignatureValid, publicKeyOf, signerDetail, signManifest } from './sign-manifest.ts';

const [sealKey, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const manifest = { by: 'anna', takenAt: '2026-03-10T10:00:00.000Z', files: [] as unknown } as Manifest;
const command = 'npm run restore -- anna x';

it("trusts this installation's signature", () => {
  const signed = signManifest(manifest, sealKey);
  expect(distrustOf(signed, { sealKey, command })).toBeUndefined();
  expect(signerDetail(signed, sealKey)).toEqual({});
});

it('trusts another key only with --trust-key', () => {
  const signed = signManifest(manifest, other);
  const key = publicKeyOf(other);
  expect(distrustOf(signed, { sealKey, command })).toContain(`${command} --trust-key ${key}`);
  expect(distrustOf(signed, { sealKey, command, trust: { keys: [], unsigned: true } })).toContain('--trust-key');
  expect(distrustOf(signed, { sealKey, command, trust: { keys: [key], unsigned: false } })).toBeUndefined();
  expect(distrustOf(signed, { sealKey: undefined, command })).toContain('--trust-key');
  expect(signerDetail(signed, sealKey)).toEqual({ signedBy: key });
});

it('trusts an unsigned backup only with --unsigned', () => {
  const trust = { keys: [publicKeyOf(other)], unsigned: false };
  expect(distrustOf(manifest, { sealKey, command, trust })).toContain(`${command} --unsigned`);
  expect(distrustOf(manifest, { sealKey, command, trust: { keys: [], unsigned: true } })).toBeUndefined();
  expect(signerDetail(manifest, sealKey)).toEqual({ signedBy: 'nobody' });
});

it('never trusts a backup changed after signing', () => {
  const trust = { keys: [publicKeyOf(sealKey)], unsigned: true };
  for (const change of [{ by: 'ben' }, { checkpoint: 'x' }, { takenAt: '2026-03-11T10:00:00.000Z' }]) {
    const changed = { ...signManifest(manifest, sealKey), ...change };
    expect(isSignatureValid(changed)).toBe(false);
    expect(distrustOf(changed, { sealKey, command, trust })).toContain('the signature does not match');
  }
});
