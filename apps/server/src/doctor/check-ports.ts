import { once } from 'node:events';
import { createServer } from 'node:net';
import { fault, ok, reasonOf, warning } from './findings.ts';
import type { Finding } from './findings.ts';

const ASK_MS = 3_000;

/** Who is at a port. */
export type AtPort =
  /** Nobody who answers. */
  | { readonly who: 'nobody' }
  | { readonly who: 'other' }
  /** The figures of a server that wants another token. */
  | { readonly who: 'guarded' }
  /** A server of this product; `status` is what it says of its being ready, `sealKey` the key of its newest seals. */
  | { readonly who: 'drawhouse'; readonly status: string; readonly sealKey: string | undefined };

/** Where a server is to listen. */
export interface ListeningPlace {
  /** The name of the setting. */
  readonly setting: string;
  readonly host: string;
  readonly port: number;
}

/** The address by which this machine reaches what listens at a place. */
export function addressOf({ host, port }: ListeningPlace): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

async function ask(
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; text: string }> {
  const response = await fetch(address, { headers, signal: AbortSignal.timeout(ASK_MS), redirect: 'manual' });
  return { status: response.status, text: await response.text() };
}

/** Looks who answers at a place. */
export async function lookAtPort(place: ListeningPlace): Promise<AtPort> {
  const address = addressOf(place);
  // Whether somebody is there that does not answer shows whoever tries to listen.
  const alive = await ask(`${address}/healthz`).catch(() => undefined);
  if (!alive) return { who: 'nobody' };
  const isOurs = /^\{"success":true,"database":"(?:reached|unreachable)"\}$/.test(alive.text);
  if (!isOurs) return { who: 'other' };
  const [ready, key] = await Promise.all(
    [`${address}/readyz`, `${address}/seals/key`].map((one) => ask(one).catch(() => undefined)),
  );
  const status = /"status":"([^"]*)"/.exec(ready?.text ?? '')?.[1] ?? 'it does not answer in time';
  return { who: 'drawhouse', status, sealKey: key?.status === 200 ? key.text.trim() : undefined };
}

/** Looks who answers at the place of the figures (`METRICS_PORT`), of which each server has one of its own. */
export async function lookAtFigures(place: ListeningPlace, token: string | undefined): Promise<AtPort> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const found = await ask(`${addressOf(place)}/metrics`, headers).catch(() => undefined);
  if (!found) return { who: 'nobody' };
  if (found.status === 401 && found.text.includes('METRICS_TOKEN')) return { who: 'guarded' };
  const isOurs = found.text.includes('drawhouse_build_info');
  return isOurs ? { who: 'drawhouse', status: 'ready', sealKey: undefined } : { who: 'other' };
}

/** Whether a place can be listened at, which is tried for a moment; the code of the system where it can't. */
async function whyNotListen({ host, port }: ListeningPlace): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? reasonOf(error);
  } finally {
    server.close();
  }
}

/** Who holds the port of a place. `ownSealKey`: the key of the newest seals of this installation, where there are some. */
export async function checkPort(place: ListeningPlace, at: AtPort, ownSealKey: string | undefined): Promise<Finding> {
  const { setting, host, port } = place;
  const where = `${setting} ${port} of ${host}`;
  const another = `Stop it, or set ${setting} to another port.`;
  if (at.who === 'other') return fault('ports', `${where} is held by another program.`, another);
  if (at.who === 'guarded')
    return fault(
      'ports',
      `${where} is held by a server of Drawhouse that wants another METRICS_TOKEN.`,
      `If it is this one, start it anew with the METRICS_TOKEN of now. If it is another, set ${setting} to another port.`,
    );
  if (at.who === 'drawhouse') {
    const isOther = ownSealKey !== undefined && at.sealKey !== undefined && ownSealKey !== at.sealKey;
    return isOther
      ? fault('ports', `${where} is held by the server of another installation of Drawhouse.`, another)
      : ok(
          'ports',
          `${where} is held by ${ownSealKey !== undefined && at.sealKey === ownSealKey ? 'the server' : 'a server of Drawhouse'}.`,
        );
  }
  const code = await whyNotListen(place);
  if (code === undefined) return ok('ports', `${where} is free.`);
  if (code === 'EACCES')
    return fault(
      'ports',
      `${where} may not be listened at by this user.`,
      `Set ${setting} to 1024 or more and put a proxy in front, or give the server the right to it (CAP_NET_BIND_SERVICE).`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return fault(
      'ports',
      `${host} is no address of this machine.`,
      `Set ${setting.replace('PORT', 'HOST')} to one that it has: 127.0.0.1 behind a proxy, 0.0.0.0 for all.`,
    );
  if (code === 'EADDRINUSE')
    return fault(
      'ports',
      `${where} is held by something that does not answer.`,
      `See what it is: ss -ltnp. ${another}`,
    );
  return warning('ports', `${where} can’t be listened at: ${code}.`, another);
}
