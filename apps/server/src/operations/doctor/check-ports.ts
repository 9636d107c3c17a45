import { once } from 'node:events';
import { createServer } from 'node:net';
import { fault, ok, reasonOf, warning, type Finding } from './findings.ts';

const ASK_MS = 3_000;

export type AtPort =
  | { readonly who: 'nobody' }
  | { readonly who: 'other' }
  /** Metrics that require a different token. */
  | { readonly who: 'guarded' }
  /** `status` is its readiness, `sealKey` the key of its newest seals. */
  | { readonly who: 'drawhouse'; readonly status: string; readonly sealKey: string | undefined };

export interface ListeningPlace {
  readonly setting: string;
  readonly host: string;
  readonly port: number;
}

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

export async function probePort(place: ListeningPlace): Promise<AtPort> {
  const address = addressOf(place);
  // A silent listener shows up when trying to listen.
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

/** `METRICS_PORT` is separate per server. */
export async function probeMetricsPort(place: ListeningPlace, token: string | undefined): Promise<AtPort> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const found = await ask(`${addressOf(place)}/metrics`, headers).catch(() => undefined);
  if (!found) return { who: 'nobody' };
  if (found.status === 401 && found.text.includes('METRICS_TOKEN')) return { who: 'guarded' };
  const isOurs = found.text.includes('drawhouse_build_info');
  return isOurs ? { who: 'drawhouse', status: 'ready', sealKey: undefined } : { who: 'other' };
}

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

export async function checkPort(place: ListeningPlace, at: AtPort, ownSealKey: string | undefined): Promise<Finding> {
  const { setting, host, port } = place;
  const where = `${setting} ${port} of ${host}`;
  const another = `Stop it, or set ${setting} to another port.`;
  if (at.who === 'other') return fault('ports', `${where} is in use by another program.`, another);
  if (at.who === 'guarded')
    return fault(
      'ports',
      `${where} is in use by a Drawhouse server with another METRICS_TOKEN.`,
      `If it is this server, restart it with the current METRICS_TOKEN. Otherwise set ${setting} to another port.`,
    );
  if (at.who === 'drawhouse') {
    const isOther = ownSealKey !== undefined && at.sealKey !== undefined && ownSealKey !== at.sealKey;
    return isOther
      ? fault('ports', `${where} is in use by a server of another Drawhouse installation.`, another)
      : ok(
          'ports',
          `${where} is in use by ${ownSealKey !== undefined && at.sealKey === ownSealKey ? 'the server' : 'a server of Drawhouse'}.`,
        );
  }
  const code = await whyNotListen(place);
  if (code === undefined) return ok('ports', `${where} is free.`);
  if (code === 'EACCES')
    return fault(
      'ports',
      `This user can't listen on ${where}.`,
      `Set ${setting} to 1024 or more and put a proxy in front, or grant the server CAP_NET_BIND_SERVICE.`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return fault(
      'ports',
      `This machine does not have the address ${host}.`,
      `Set ${setting.replace('PORT', 'HOST')} to one that it has: 127.0.0.1 behind a proxy, 0.0.0.0 for all.`,
    );
  if (code === 'EADDRINUSE')
    return fault(
      'ports',
      `${where} is in use by a program that does not answer.`,
      `Find the program: ss -ltnp. ${another}`,
    );
  return warning('ports', `Can’t listen on ${where}: ${code}.`, another);
}
