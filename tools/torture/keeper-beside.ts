import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../apps/server/test/free-port.ts';
import { startKeeperProcess } from '../keeper/keeper-process.ts';
import type { KeeperProcess } from '../keeper/keeper-process.ts';
import { OPERATOR } from '../keeper/keeper-sample.ts';
import { verifyFolder } from '../keeper/verify-folder.ts';

/** Of a day: each start of a server takes some hundreds that no draw will have. */
const SEEDS = 100_000;
/** The shortest that may be set: what is asked again after a kill comes in time, or just not. */
const DEADLINE_SECONDS = 6;

/** A keeper in a process of its own, at an address that stays. */
export class KeeperBeside {
  readonly #dir: string;
  readonly #port: number;
  #process: KeeperProcess;

  private constructor(dir: string, port: number, process: KeeperProcess) {
    this.#dir = dir;
    this.#port = port;
    this.#process = process;
  }

  static async start(): Promise<KeeperBeside> {
    const dir = await mkdtemp(path.join(tmpdir(), 'drawhouse-keeper-'));
    const port = await freePort();
    return new KeeperBeside(dir, port, await startOn(dir, port));
  }

  /** What the servers are set to. */
  get settings(): Record<string, string> {
    const { url, identity } = this.#process;
    return {
      // It answers to this key alone.
      SEAL_KEY: OPERATOR.privateKey,
      KEEPER_URL: `${url}#${identity.publicKey}`,
      KEEPER_DEADLINE_SECONDS: String(DEADLINE_SECONDS),
    };
  }

  /** Kills it at once. */
  async kill(): Promise<void> {
    await this.#process.kill();
  }

  /** Starts it again on what is in its folder. */
  async startAgain(): Promise<void> {
    this.#process = await startOn(this.#dir, this.#port);
  }

  /** What is wrong with what it has kept, as sentences: two roots that were asked of it are evidence. */
  async problems(): Promise<string[]> {
    const { problems, evidence, releases } = await verifyFolder(this.#dir);
    return [
      ...problems,
      ...(evidence > 0 ? [`The keeper has ${evidence} lines of evidence against the server.`] : []),
      ...(releases === 0 ? ['The keeper has released nothing.'] : []),
    ];
  }

  /** Stops it and removes its folder. */
  async stop(): Promise<void> {
    await this.#process.kill();
    await rm(this.#dir, { recursive: true, force: true });
  }
}

function startOn(dir: string, port: number): Promise<KeeperProcess> {
  return startKeeperProcess(dir, ['--port', String(port), '--draws-per-day', String(SEEDS)]);
}
