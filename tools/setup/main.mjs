import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { exitIfStopped, runChild } from './child.mjs';
import { ensureInstalled, pinnedNode } from './install.mjs';
import { servingEnvironment } from './memory.mjs';
import { ensureWebBuilt } from './web.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What each command needs and runs; `web` builds the apps for browsers first when they are stale, `serves` runs a server. */
const commands = {
  start: { says: 'start the server', web: true, serves: true, script: 'apps/server/src/main.ts' },
  demo: {
    says: 'start it with a demo network and simulated players',
    web: true,
    serves: true,
    script: 'tools/demo.ts',
  },
  test: { says: 'run every check and every test', script: 'tools/test.ts' },
  check: { says: 'format, lint, types, house rules, import direction', script: 'tools/check.ts' },
  audit: { says: 'prove the books and the logs', script: 'apps/server/src/run-audit.ts' },
  backup: {
    says: 'back networks up, or check backups: npm run backup -- --help',
    script: 'apps/server/src/run-backup.ts',
  },
  restore: {
    says: 'put networks back to their backups, or try those: npm run restore -- --help',
    script: 'apps/server/src/run-restore.ts',
  },
  network: {
    says: 'move a network to another installation: npm run network -- --help',
    script: 'apps/server/src/run-network.ts',
  },
  // Much of it runs a server in the process that measures.
  bench: { says: 'measure what must be quick: npm run bench -- accounts', serves: true, script: 'tools/bench.ts' },
  soak: {
    says: 'watch a server under load, and fail where something only grows: npm run soak -- --minutes 30',
    serves: true,
    script: 'tools/soak.ts',
  },
  torture: {
    says: 'kill it, fill its disk and interleave its statements: npm run torture -- --rounds 10 --parts crash',
    serves: true,
    script: 'tools/torture.ts',
  },
  simulate: {
    says: 'players who bet, and what became of their bets: npm run simulate -- --help',
    script: 'tools/simulate.ts',
  },
  'check-draw': {
    says: 'check a draw by the address of its page, or from a file with its JSON',
    script: 'tools/check-draw.ts',
  },
  pictures: { says: 'take the pictures of the manual anew', web: true, script: 'tools/pictures.ts' },
  format: { says: 'format every file', script: 'node_modules/oxfmt/bin/oxfmt' },
  build: { says: 'build the apps for browsers when they are stale', web: true },
};

/** Sets up what the command needs, runs it and ends with its exit code. */
export async function main([name, ...args]) {
  const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined;
  if (!command) {
    const list = Object.entries(commands).map(([key, { says }]) => `  ${key.padEnd(12)}${says}`);
    console.error(`Usage: npm run <command>\n${list.join('\n')}`);
    process.exit(1);
  }
  try {
    await ensureInstalled(root);
    if (command.web) await ensureWebBuilt(root);
  } catch (error) {
    exitIfStopped();
    console.error(error.message);
    process.exit(1);
  }
  exitIfStopped();
  if (!command.script) return;
  // The tools find each other and the pinned Node by name, as under npm.
  const PATH = [path.join(root, 'node_modules', '.bin'), process.env.PATH].join(path.delimiter);
  const env = { ...(command.serves ? servingEnvironment(process.env) : process.env), PATH };
  process.exit(await runChild(pinnedNode(root), [command.script, ...args], { cwd: root, env }));
}
