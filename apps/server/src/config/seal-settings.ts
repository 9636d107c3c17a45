import { join, resolve } from 'node:path';
import { isKeyName, parseNoteKey, SIGNATURE_TYPES, type NoteKey } from '@drawhouse/tlog/note-keys';

/** The server asks a witness with an address; others ask the server. */
export interface Witness {
  readonly key: NoteKey;
  readonly url: string | undefined;
}

/** Comma-separated keys, each optionally with `@` and address. */
function readWitnesses(text: string): Witness[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => {
      const [, line, url] = /^(.*?)(?:@(https?:\/\/\S+))?$/.exec(one)!;
      const key = parseNoteKey(line!);
      if (key?.type !== SIGNATURE_TYPES.cosignature)
        throw new Error(
          `SEAL_WITNESSES has no valid witness key here: ${one}. The witness prints its own, as name+id+base64.`,
        );
      return { key, url: url?.replace(/\/$/, '') };
    });
}

export interface SealSettings {
  readonly sealDir: string;
  readonly sealKey: string | undefined;
  readonly sealKeyFile: string | undefined;
  readonly sealName: string | undefined;
  readonly sealWitnesses: readonly Witness[];
}

export function readSealSettings(text: (name: string) => string | undefined, dataDir: string): SealSettings {
  const sealKey = text('SEAL_KEY');
  if (sealKey !== undefined && !/^[0-9a-f]{64}$/i.test(sealKey)) throw new Error('SEAL_KEY must be 64 hex digits.');
  const sealKeyFile = text('SEAL_KEY_FILE');
  if (sealKey !== undefined && sealKeyFile !== undefined)
    throw new Error('SEAL_KEY and SEAL_KEY_FILE are both set. Set only one of them.');
  const sealName = text('SEAL_NAME');
  if (sealName !== undefined && !isKeyName(sealName))
    throw new Error('SEAL_NAME must not contain spaces or plus signs. Example: games.example.org.');
  return {
    sealDir: resolve(text('SEAL_DIR') ?? join(dataDir, 'seals')),
    sealKey,
    sealKeyFile: sealKeyFile && resolve(sealKeyFile),
    sealName,
    sealWitnesses: readWitnesses(text('SEAL_WITNESSES') ?? ''),
  };
}
