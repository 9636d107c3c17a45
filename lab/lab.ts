/** `npm run lab -- NAME …`: runs bench, soak, torture or simulator. See lab/README.md. */

interface Program {
  readonly label: string;
  readonly usage?: string;
  readonly load: () => Promise<unknown>;
}

const PROGRAMS: Readonly<Record<string, Program>> = {
  bench: { label: 'measures one part and compares it with its goals', load: () => import('./bench.ts') },
  soak: {
    label: 'watches memory, handles and connections under load, and fails on growth',
    usage: '--minutes N: duration, 30 by default.',
    load: () => import('./soak.ts'),
  },
  torture: {
    label: 'kills servers, fills disks, slows disks; fails on any loss',
    usage: '--rounds N, --parts NAME,NAME, --seed N, --shim',
    load: () => import('./torture.ts'),
  },
  failover: {
    label: 'kills the primary of three database nodes under load; fails on any loss',
    usage: '--kills N: 20 by default. --seed N. Needs root, and Debian packages: see lab/README.md.',
    load: () => import('./failover.ts'),
  },
  proxies: {
    label: 'checks which cell gets which call behind haproxy, nginx and caddy',
    usage: 'haproxy nginx caddy: all by default. Needs the Debian packages.',
    load: () => import('./proxies.ts'),
  },
  simulate: {
    label: 'players who bet on a server; reports the outcome of every bet',
    load: () => import('./simulate.ts'),
  },
};

const [name = ''] = process.argv.splice(2, 1);
const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name]! : undefined;
const asksForHelp = [name, ...process.argv.slice(2)].some((arg) => arg === '--help' || arg === '-h');
if (program?.usage !== undefined && asksForHelp)
  console.log(`npm run lab -- ${name}: ${program.label}\n${program.usage}`);
else if (program) await program.load();
else {
  const list = Object.entries(PROGRAMS).map(([key, { label }]) => `  ${key.padEnd(10)}${label}`);
  console[asksForHelp ? 'log' : 'error'](`Usage: npm run lab -- NAME [options]\n${list.join('\n')}`);
  if (!asksForHelp) process.exitCode = 1;
}
