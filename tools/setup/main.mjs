import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { exitIfStopped, runChild } from './child.mjs';
import { ensureInstalled, pinnedNode } from './install.mjs';
import { servingEnvironment } from './memory.mjs';
import { ensureWebBuilt } from './web.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * `web` builds stale browser apps first; `serves` runs a server. With `usage`, `--help` is answered here; otherwise the
 * script gets all arguments.
 */
const commands = {
  start: {
    summary: 'start the server',
    usage: 'Settings are environment variables, such as PORT=4000 npm start. docs/manual/running.md lists them.',
    web: true,
    serves: true,
    script: 'apps/server/src/main.ts',
  },
  demo: {
    summary: 'start it with a demo network and simulated players',
    usage:
      '--players N: number of simulated players, 1 to 98 (98).\n' +
      'It runs until Ctrl-C. Its data is in the folder data-demo, or in DATA_DIR; the other settings are those of npm start,\n' +
      'such as PORT=4000 npm run demo. It prints how to sign in.',
    web: true,
    serves: true,
    script: 'tools/demo.ts',
  },
  test: {
    summary: 'run the checks and the short tests',
    usage: '--long runs all tests in full, --changed[=REVISION] those that import what changed.',
    script: 'tools/test.ts',
  },
  check: {
    summary: 'format, lint, types, house rules, import direction',
    usage: 'It has no options.',
    script: 'tools/check.ts',
  },
  audit: {
    summary: 'prove the books and the logs',
    usage:
      'It has no options. It uses the database of DATA_DIR or DATABASE_URL, beside a running server or without one.',
    script: 'apps/server/src/commands/run-audit.ts',
  },
  backup: {
    summary: 'back up networks, or check backups: npm run backup -- --help',
    script: 'apps/server/src/commands/run-backup.ts',
  },
  restore: {
    summary: 'restore networks from backups, or test those: npm run restore -- --help',
    script: 'apps/server/src/commands/run-restore.ts',
  },
  network: {
    summary: 'move a network to another installation: npm run network -- --help',
    script: 'apps/server/src/commands/run-network.ts',
  },
  group: {
    summary: 'show and mend the directory of a group of cells: npm run group -- --help',
    script: 'apps/server/src/commands/run-group.ts',
  },
  seals: {
    summary: 'show the seals, or start a new log: npm run seals -- --help',
    script: 'apps/server/src/commands/run-seals.ts',
  },
  doctor: {
    summary: 'find problems and how to fix them: npm run doctor -- --help',
    script: 'apps/server/src/commands/run-doctor.ts',
  },
  admin: {
    summary: 'help locked-out accounts: npm run admin -- --help',
    script: 'apps/server/src/commands/run-admin.ts',
  },
  'support-bundle': {
    summary: 'write a file for support: npm run support-bundle -- --help',
    script: 'apps/server/src/commands/run-support-bundle.ts',
  },
  // Many lab programs run a server in-process.
  lab: {
    summary: 'measure it, and try to break it: npm run lab -- --help',
    serves: true,
    script: 'lab/lab.ts',
  },
  'check-draw': {
    summary: 'check a draw by the address of its page, or from a file with its JSON',
    script: 'tools/check-draw.ts',
  },
  witness: {
    summary: 'watch the seals of another server and co-sign them: npm run witness -- --help',
    script: 'tools/witness.ts',
  },
  beacon: {
    summary: "publish random values for another server's draws: npm run beacon -- --help",
    script: 'tools/beacon.ts',
  },
  pictures: {
    summary: 'retake the pictures of the manual',
    usage: 'It has no options.',
    web: true,
    script: 'tools/pictures.ts',
  },
  docs: { summary: 'write the generated parts of the docs: the map and the settings', script: 'tools/docs.ts' },
  format: { summary: 'format every file', script: 'node_modules/oxfmt/bin/oxfmt' },
  build: { summary: 'build the apps for browsers when they are stale', web: true },
};

export async function main([name, ...args]) {
  const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined;
  if (!command) {
    const list = Object.entries(commands).map(([key, { summary }]) => `  ${key.padEnd(16)}${summary}`);
    console.error(`Usage: npm run <command>\n${list.join('\n')}`);
    process.exit(1);
  }
  // Answered before any installation or build.
  if (command.usage && args.some((arg) => arg === '--help' || arg === '-h')) {
    console.log(`npm ${name === 'start' ? name : `run ${name}`}: ${command.summary}\n${command.usage}`);
    return;
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
  // Tools find each other and the pinned Node by name.
  const PATH = [path.join(root, 'node_modules', '.bin'), process.env.PATH].join(path.delimiter);
  // Commands resolve file arguments from the caller's folder, as reported by npm.
  const INIT_CWD = process.env.INIT_CWD ?? process.cwd();
  const env = { ...(command.serves ? servingEnvironment(process.env) : process.env), PATH, INIT_CWD };
  process.exit(await runChild(pinnedNode(root), [command.script, ...args], { cwd: root, env }));
}
