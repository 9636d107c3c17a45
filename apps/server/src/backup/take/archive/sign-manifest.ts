import { canonicalJson } from '@drawhouse/rules/canonical-json';
import { signerOf, verifyOnNode } from '@drawhouse/tlog/node/ed25519';
import { CallError } from '../../../platform/http/http-errors.ts';
import type { Manifest } from './manifest.ts';
import { BACKUP_TEXTS, DAMAGE } from '../../backup-texts.ts';

/** Domain separation: the key signs other things too. */
const PREFIX = 'Drawhouse backup manifest\n';

export interface BackupTrust {
  /** Public keys, 64 hex digits (`--trust-key`). */
  readonly keys: readonly string[];
  readonly unsigned: boolean;
}

/** Covers the whole backup, because the manifest has each file's SHA-256. */
export function signManifest(manifest: Manifest, sealKey: Uint8Array): Manifest {
  const { signature: _, ...unsigned } = manifest;
  const { publicKey, sign } = signerOf(sealKey);
  return { ...unsigned, signature: { key: hexOf(publicKey), value: hexOf(sign(signedBytes(manifest))) } };
}

export function publicKeyOf(sealKey: Uint8Array): string {
  return hexOf(signerOf(sealKey).publicKey);
}

/** False means altered. Unsigned manifests pass. */
export function isSignatureValid(manifest: Manifest): boolean {
  const { signature } = manifest;
  if (!signature) return true;
  return verifyOnNode(Buffer.from(signature.key, 'hex'), signedBytes(manifest), Buffer.from(signature.value, 'hex'));
}

export const ALTERED = DAMAGE.altered;

/** Undefined if trusted. `command` restores anyway, once the missing option is added. */
export function distrustOf(
  manifest: Manifest,
  { sealKey, trust, command }: { sealKey: Uint8Array | undefined; trust?: BackupTrust | undefined; command: string },
): string | undefined {
  const { signature } = manifest;
  if (!isSignatureValid(manifest)) return ALTERED;
  if (!signature) return trust?.unsigned ? undefined : DAMAGE.unsigned(command);
  const isTrusted = (sealKey && signature.key === publicKeyOf(sealKey)) || trust?.keys.includes(signature.key);
  return isTrusted ? undefined : DAMAGE.foreignKey(command, signature.key);
}

export function requireTrusted(...given: Parameters<typeof distrustOf>): void {
  const why = distrustOf(...given);
  if (why !== undefined) throw new CallError('RULE_REFUSED', { message: BACKUP_TEXTS.refused(why) });
}

export function signerDetail({ signature }: Manifest, sealKey: Uint8Array | undefined): { readonly signedBy?: string } {
  if (!signature) return { signedBy: 'nobody' };
  return sealKey && signature.key === publicKeyOf(sealKey) ? {} : { signedBy: signature.key };
}

function signedBytes({ signature: _, ...manifest }: Manifest): Uint8Array {
  return Buffer.from(PREFIX + canonicalJson(manifest));
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
