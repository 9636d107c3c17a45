import type { Socket } from 'node:net';
import pg from 'pg';
import { hostOf, parseClusterAddress, type ClusterAddress } from '../../../config/cluster-address.ts';
import { explained, DatabaseUnavailable, reasonIn } from './unavailable.ts';

/** Answer timeout if no host answers: the machine may be busy. */
const PROBE_MS = 5_000;
/** Shorter once a standby answered: the other hosts may be gone. */
const OTHERS_MS = 1_500;
/** Shorter still once a host fits: an old primary may answer before the new one. */
const OTHERS_OF_FIT_MS = 250;
/** Connections within this time share one probe. */
const TRUSTED_MS = 1_000;
/** While connections are open. */
const WATCH_MS = 3_000;

interface Found {
  readonly url: string;
  /** Grows by one at each promotion. 0 for a standby. */
  readonly timeline: number;
}

export interface HostChange {
  readonly from: string;
  readonly to: string;
}

/** Never returns to an older timeline, so a primary that was replaced while out of reach gets no more connections. */
class ClusterHosts {
  readonly #address: ClusterAddress;
  readonly #clients = new Set<ClusterClient>();
  readonly watchers = new Set<(change: HostChange) => void>();
  #chosen: (Found & { readonly atMs: number }) | undefined;
  #asking: Promise<string> | undefined;
  #watching: NodeJS.Timeout | undefined;

  constructor(address: ClusterAddress) {
    this.#address = address;
  }

  get wantsPrimary(): boolean {
    return this.#address.wanted === 'primary';
  }

  choose(): Promise<string> {
    const chosen = this.#chosen;
    if (chosen && performance.now() - chosen.atMs < TRUSTED_MS) return Promise.resolve(chosen.url);
    return (this.#asking ??= this.#ask().finally(() => (this.#asking = undefined)));
  }

  distrust(): void {
    if (this.#chosen) this.#chosen = { ...this.#chosen, atMs: -Infinity };
  }

  joined(client: ClusterClient): void {
    this.#clients.add(client);
    client.once('end', () => this.#clients.delete(client));
    this.#watch();
  }

  /** Connections to a vanished host stay silent for hours, so idle ones must be cut. */
  #watch(): void {
    if (this.#watching || !this.wantsPrimary) return;
    this.#watching = setTimeout(() => {
      this.#watching = undefined;
      if (this.#clients.size === 0) return;
      this.distrust();
      void this.choose()
        .catch(() => {})
        .then(() => this.#watch());
    }, WATCH_MS).unref();
  }

  async #ask(): Promise<string> {
    const found: Found[] = [];
    const failed: string[] = [];
    /** A wrong password or database name. */
    let refusal: Error | undefined;
    const enough = Promise.withResolvers<void>();
    const all = this.#address.hosts.map(async (url) => {
      try {
        const timeline = await probe(url);
        found.push({ url, timeline });
        setTimeout(enough.resolve, this.#fits({ url, timeline }) ? OTHERS_OF_FIT_MS : OTHERS_MS).unref();
      } catch (error) {
        if (!hasLostFiles(error) && !(explained(error) instanceof DatabaseUnavailable)) refusal ??= error as Error;
        failed.push(`${hostOf(url)}: ${reasonIn(error as Error)}`);
      }
    });
    await Promise.race([Promise.all(all), enough.promise]);
    const best = this.#best(found);
    if (best) return this.#settleOn(best);
    if (refusal && found.length === 0) throw refusal;
    const standbys = found.map((one) => `${hostOf(one.url)}: ${one.timeline === 0 ? 'a standby' : 'replaced'}`);
    throw Object.assign(new Error(`No host takes writes (${[...standbys, ...failed].join('; ')}).`), { code: NO_HOST });
  }

  #fits({ timeline }: Found): boolean {
    return this.wantsPrimary ? timeline > 0 && timeline >= (this.#chosen?.timeline ?? 0) : timeline === 0;
  }

  /** Prefers the newest timeline, then the present host, then the order of the URL. */
  #best(found: readonly Found[]): Found | undefined {
    const fitting = found.filter((one) => this.#fits(one));
    const from = fitting.length > 0 || this.wantsPrimary ? fitting : found;
    const newest = Math.max(...from.map(({ timeline }) => timeline));
    const equal = from.filter(({ timeline }) => timeline === newest);
    const ordered = [this.#chosen?.url, ...this.#address.hosts];
    return equal.toSorted((one, other) => ordered.indexOf(one.url) - ordered.indexOf(other.url))[0];
  }

  #settleOn(found: Found): string {
    const before = this.#chosen;
    this.#chosen = { ...found, atMs: performance.now() };
    if (before && before.url !== found.url) {
      // The old primary may still answer, with outdated data.
      for (const client of this.wantsPrimary ? this.#clients : []) if (client.url !== found.url) client.cut();
      const change = { from: hostOf(before.url), to: hostOf(found.url) };
      for (const watcher of this.watchers) watcher(change);
    }
    return found.url;
  }
}

/** The connection could not be established. */
const NO_HOST = '08001';
/** Also of a setting that no host takes. */
const INVALID_VALUE = '22023';

function hasLostFiles(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === INVALID_VALUE && message.includes('is not a valid data directory');
}

const known = new Map<string, ClusterHosts>();

function hostsAt(url: string): ClusterHosts | undefined {
  const address = parseClusterAddress(url);
  if (!address) return undefined;
  const hosts = known.get(url) ?? new ClusterHosts(address);
  known.set(url, hosts);
  return hosts;
}

export function watchHosts(url: string, watcher: (change: HostChange) => void): () => void {
  const watchers = hostsAt(url)?.watchers;
  watchers?.add(watcher);
  return () => void watchers?.delete(watcher);
}

/** 0 for a standby. */
async function probe(url: string): Promise<number> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'drawhouse probe',
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: number }>(
      `select case when pg_is_in_recovery() then 0
         else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int end as timeline`,
    );
    return rows[0]!.timeline;
  } finally {
    void client.end().catch(() => {});
  }
}

interface Wire {
  readonly stream: Socket;
  on(event: 'parameterStatus', listen: (set: { parameterName: string; parameterValue: string }) => void): void;
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

type ClusterConfig = pg.ClientConfig & { readonly connectionString: string };

/**
 * Supports `target_session_attrs` and several hosts, which node-postgres lacks. With one host, behaves as pg.Client.
 */
export class ClusterClient extends pg.Client {
  readonly #hosts: ClusterHosts | undefined;
  url: string;
  #ended = false;

  constructor(config: ClusterConfig) {
    const hosts = hostsAt(config.connectionString);
    const url = parseClusterAddress(config.connectionString)?.hosts[0] ?? config.connectionString;
    super({ ...config, connectionString: url });
    this.#hosts = hosts;
    this.url = url;
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | void {
    if (!this.#hosts) return callback ? super.connect(callback) : super.connect();
    const connected = this.#connectTo(this.#hosts);
    if (!callback) return connected;
    const done = callback as (error?: Error) => void;
    connected.then(() => done(), done);
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    this.#ended = true;
    return callback ? super.end(callback) : super.end();
  }

  cut(): void {
    this.#wire.stream.destroy();
  }

  get #wire(): Wire {
    return this.connection as unknown as Wire;
  }

  async #connectTo(hosts: ClusterHosts): Promise<pg.Client> {
    try {
      this.url = await hosts.choose();
    } catch (error) {
      // pg would queue further queries for a connection that never comes.
      await this.end();
      throw error;
    }
    if (this.#ended || this.#wire.stream.destroyed) throw new Error('Connection terminated');
    const { host, port } = new pg.Client({ connectionString: this.url });
    Object.assign(this, { host, port });
    let isStandby = false;
    this.#wire.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') isStandby = parameterValue === 'on';
    });
    try {
      await super.connect();
    } catch (error) {
      hosts.distrust();
      throw error;
    }
    hosts.joined(this);
    if (!(isStandby && hosts.wantsPrimary)) return this;
    hosts.distrust();
    await this.end();
    throw Object.assign(new Error(`${hostOf(this.url)} has become a standby.`), { code: NO_HOST });
  }
}
