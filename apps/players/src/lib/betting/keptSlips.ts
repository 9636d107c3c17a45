/** Unsent slips on the device, one per account and game. Tabs share them. */
export type SlipStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

export interface KeptSlip {
  /** Its ticket is sent under this id, so two tabs cannot place it twice. */
  readonly requestId: string;
  /** Opening time of the draw it is for. A slip never moves to another draw by itself. */
  readonly opensAt: string;
  /** Bet text. */
  readonly text: string;
}

const prefixOf = (accountId: string): string => `slip/${accountId}/`;

export function slipStore(storage: SlipStorage, accountId: string, gameId: string) {
  const key = prefixOf(accountId) + gameId;
  return {
    key,
    /** Null if absent or corrupt. */
    read(): KeptSlip | null {
      try {
        const kept = JSON.parse(storage.getItem(key) ?? 'null') as Partial<KeptSlip> | null;
        const texts = [kept?.requestId, kept?.opensAt, kept?.text];
        return texts.every((text) => typeof text === 'string' && text !== '') ? (kept as KeptSlip) : null;
      } catch {
        return null;
      }
    },
    /** Null removes it. False if storage fails: the slip then lasts as long as the page. */
    save(slip: KeptSlip | null): boolean {
      try {
        if (slip) storage.setItem(key, JSON.stringify(slip));
        else storage.removeItem(key);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/**
 * What becomes of a kept slip when bets are taken for the draw opening at `opensAt`; empty: unknown. Its own draw:
 * restored. An earlier draw: dropped. A later draw: left to the tab that already knows it.
 */
export function fateOfKept({ opensAt }: KeptSlip, now: string): 'restore' | 'drop' | 'leave' {
  if (opensAt === now) return 'restore';
  return opensAt < now ? 'drop' : 'leave';
}

/** At sign-out, when another person may follow on this device. */
export function dropSlips(storage: SlipStorage, accountId: string): void {
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  for (const name of names) if (name.startsWith(prefixOf(accountId))) storage.removeItem(name);
}

/** UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, 74 random bits. `random`: 10 bytes. */
export function uuidV7(now: number, random: Uint8Array): string {
  const bytes = new Uint8Array(16);
  for (let index = 0; index < 6; index++) bytes[index] = Math.floor(now / 2 ** (8 * (5 - index))) % 256;
  bytes.set(random.subarray(0, 10), 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
