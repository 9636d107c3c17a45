import { NODE_BYTES } from '@drawhouse/rules/merkle';
import { bytesOfBase64 } from '@drawhouse/tlog/base64';
import { parsePath } from '@drawhouse/tlog/log-proofs';
import type { TreeHead } from '@drawhouse/tlog/verify-proofs';

const FIRST_LINE = 'origins 1\n';

/** The first record of a log that is not the first one. */
export interface LogBegin {
  /** Its bytes as they stand in the log. */
  readonly entry: Uint8Array;
  /** Its path in the tree that was asked for. */
  readonly path: readonly Uint8Array[];
  /** The log before as it is named there; null where it is not, as its files were lost. */
  readonly names: (TreeHead & { readonly origin: string; readonly why: string }) | null;
}

/** The nodes of a proof as the server answers it, `{path: [base64…]}`; null where it is none. */
export function readPath(text: string): Uint8Array[] | null {
  const path = (jsonOf(text) as { path?: unknown } | null)?.path;
  if (!Array.isArray(path) || !path.every((node) => typeof node === 'string')) return null;
  try {
    return parsePath(path);
  } catch {
    return null;
  }
}

/** What the server answers of how a log begins, `{entry: base64, path: [base64…]}`; null where it is none. */
export function readBegin(text: string): LogBegin | null {
  const path = readPath(text);
  const encoded = (jsonOf(text) as { entry?: unknown } | null)?.entry;
  const entry = typeof encoded === 'string' ? bytesOfBase64(encoded) : null;
  return path && entry ? { entry, path, names: namedIn(new TextDecoder().decode(entry)) } : null;
}

function namedIn(record: string): LogBegin['names'] {
  if (!record.startsWith(FIRST_LINE)) return null;
  const [, origin, size = '', hex = '', why = ''] = record.slice(FIRST_LINE.length).split('\t');
  const root = Uint8Array.from(hex.match(/[0-9a-f]{2}/g) ?? [], (digits) => Number.parseInt(digits, 16));
  if (origin === undefined || !/^\d{1,15}$/.test(size) || root.length !== NODE_BYTES) return null;
  return { origin, size: Number(size), root, why };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
