import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEXT_SETTINGS } from '@drawhouse/rules/records/sealed-records';
import { newPrivateKey, signerOf } from '@drawhouse/tlog/node/ed25519';
import { auditSeals } from '../../apps/server/src/transparency/verify/audit-seals.ts';
import { copierOn, copySnapshot } from '../../apps/server/src/platform/db/sql/copy-rows.ts';
import { withDedicatedConnections } from '../../apps/server/src/platform/db/connection/dedicated-connections.ts';
import { openNewestLog } from '../../apps/server/src/transparency/seal/open-newest-log.ts';
import { sealOnce } from '../../apps/server/src/transparency/seal/run/run-sealing.ts';
import { Sealer } from '../../apps/server/src/transparency/seal/run/sealer.ts';
import { machine, withBenchDatabase } from './fixtures/bench-database.ts';
import { makeNetwork } from './fixtures/bench-network.ts';
import { storeEnded } from './fixtures/filled-network.ts';
import { createMemoryWatch } from './measure/process-usage.ts';

const GAME = 'funtargetbingo';
const PLAYERS = 10_000;
const LIMIT_SECONDS = 60;

/** Measures 10 million records; an argument sets the millions. */
export async function benchSealed(): Promise<void> {
  console.log(machine());
  const millions = Number(process.argv[3] ?? 10);
  const dir = await mkdtemp(join(tmpdir(), 'drawhouse-bench-seals-'));
  const signer = signerOf(newPrivateKey());
  const never = new AbortController().signal;
  try {
    await withBenchDatabase(2, async (db, url) => {
      const network = await makeNetwork(db, { games: [GAME], players: PLAYERS, credit: 1_000_000_000n });
      await network.machine.tick();
      await storeEnded(network, { game: GAME, tickets: millions * 1_000_000, lines: 1 });
      await db.query('vacuum analyze');
      const sealing = performance.now();
      await withDedicatedConnections(url, 1, never, async ([client]) => {
        const on = copierOn(client!);
        await on.query(TEXT_SETTINGS);
        const log = await openNewestLog(on, { dir, name: 'bench', signer });
        await sealOnce(on, log, new Sealer(log, () => 0), never);
        console.log(`${log.state.size} records were sealed in ${secondsSince(sealing)} s.`);
      });
      const memory = createMemoryWatch(50);
      const cpu = process.cpuUsage();
      const from = performance.now();
      const seals = { dir, name: 'bench', publicKey: signer.publicKey, witnesses: [] };
      const checks = await auditSeals(seals, (read) => copySnapshot(url, 1, never, ([on]) => read(on!)));
      const seconds = secondsSince(from);
      const { user, system } = process.cpuUsage(cpu);
      const { peak, grown } = memory();
      console.log('\n| check | rows | problems |\n|---|--:|--:|');
      for (const { name, rows, problems } of checks) console.log(`| ${name} | ${rows} | ${problems.length} |`);
      const isWrong = checks.some(({ problems }) => problems.length > 0);
      const isMissed = Number(seconds) >= LIMIT_SECONDS || isWrong;
      console.log(`\n${seconds} s (to hold: ${LIMIT_SECONDS} s): ${isMissed ? 'MISSED' : 'held'}.`);
      console.log(
        `This process worked ${((user + system) / 1e6).toFixed(1)} s. Its memory: ${mebibytes(peak)}, ` +
          `${mebibytes(grown)} more than before.`,
      );
      for (const problem of checks.flatMap(({ problems }) => problems).slice(0, 10)) console.log(`- ${problem}`);
      if (isMissed) process.exitCode = 1;
    });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function secondsSince(from: number): string {
  return ((performance.now() - from) / 1000).toFixed(1);
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MiB`;
}
