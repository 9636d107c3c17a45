import pg from 'pg';
import { CROSS_NETWORK_REASONS } from '../../src/platform/db/cross-network-sql.ts';
import { judge } from './one-network.ts';

const AUDITS = 'it reads whatever it likes of the whole installation, and is a program of its own';

/** Exempt paths in `apps/server/src`, with reasons. */
const OPERATORS: Readonly<Record<string, string>> = {
  'audit/': AUDITS,
  'transparency/verify/audit-seals.ts': AUDITS,
  'transparency/verify/compare-sealed-rows.ts': AUDITS,
  'transparency/verify/explain-missing-rows.ts': AUDITS,
  'transparency/prune/check-backup-checkpoints.ts': AUDITS,
  'backup/': 'it loads rows that were written elsewhere, and exchanges the numbers of whole networks',
};

interface Known {
  /** Parameter such as `$1`, or number such as `=0`. */
  readonly names: readonly string[];
  readonly strays: readonly string[];
  readonly isExcepted: boolean;
}

/** Judges each text once, values and sender every time. */
export class StatementWatch {
  readonly #known = new Map<string, Known>();
  readonly #refused = new Set<string>();
  #refusals: string[] = [];

  /** `placesOf` returns the sender as `path:line`, nearest first; called only on violations. */
  look(text: string, values: readonly unknown[], placesOf: () => readonly string[]): void {
    const { names, strays, isExcepted } = this.#known.get(text) ?? this.#learn(text);
    if (isExcepted) return;
    if (strays.length > 0) this.#refuse(text, placesOf(), strays);
    if (names.length < 2) return;
    const networks = new Set(
      names.map((name) => (name.startsWith('$') ? values[Number(name.slice(1)) - 1] : name.slice(1))).map(String),
    );
    if (networks.size > 1)
      this.#refuse(text, placesOf(), [
        `it is of the networks ${[...networks].join(' and ')}: send one statement for each`,
      ]);
  }

  isStray(text: string): boolean {
    const known = this.#known.get(text);
    return known !== undefined && known.strays.length > 0 && !known.isExcepted;
  }

  take(): string[] {
    const found = this.#refusals;
    this.#refusals = [];
    return found;
  }

  #learn(text: string): Known {
    const { strays, names } = judge(text);
    const why = /\/\* over networks: (\w+) \*\//.exec(text)?.[1];
    const known = {
      names,
      strays: strays.map(({ table, part, mend, near }) => `${table} in ${part}: ${mend}. It stands at: ${near}`),
      isExcepted: why !== undefined && Object.hasOwn(CROSS_NETWORK_REASONS, why),
    };
    this.#known.set(text, known);
    return known;
  }

  #refuse(text: string, places: readonly string[], reasons: readonly string[]): void {
    if (this.#refused.has(text)) return;
    const senders = places.filter(
      (place) => /\.test\.ts/.test(place) || !/server\/src\/platform\/(?:db|time)\b/.test(place),
    );
    const nearest = senders.find((place) => !place.includes('server/src/platform/lists/'));
    const isOfTest = nearest !== undefined && /\.test\.ts|server\/test\//.test(nearest);
    const isOfOperator = Object.keys(OPERATORS).some((part) =>
      senders.some((place) => place.includes(`server/src/${part}`)),
    );
    if (isOfTest || isOfOperator) return;
    this.#refused.add(text);
    // Shared code sends lists; their feature is further up the stack or lost.
    const feature = senders.find((place) => /server\/src\/(?!platform|activity\/run-command)/.test(place));
    const shown = text.replace(/\s+/g, ' ').trim();
    this.#refusals.push(
      [
        `${feature ?? senders[0] ?? 'The server'} sends a statement that is not of one network:`,
        ...reasons.map((reason) => `  - ${reason}`),
        "  Where it has to be over several, put crossNetworkComment('…') into it,",
        '    with its reason in apps/server/src/platform/db/cross-network-sql.ts.',
        `  ${shown.length > SHOWN ? `${shown.slice(0, SHOWN)} …` : shown}`,
      ].join('\n'),
    );
  }
}

const SHOWN = 600;

let watch: StatementWatch | undefined;

type Query = (...args: unknown[]) => unknown;

export function watchOf(role: string): StatementWatch {
  if (watch) return watch;
  const mine = (watch = new StatementWatch());
  // Pools send later, without the caller's stack.
  const wanted = new Map<string, readonly string[]>();
  replaceQuery(pg.Pool.prototype, (send) => {
    return function (this: unknown, ...args: unknown[]): unknown {
      const [text] = readArguments(args);
      if (!wanted.has(text) || mine.isStray(text)) wanted.set(text, placesNow());
      return send.apply(this, args);
    };
  });
  replaceQuery(pg.Client.prototype, (send) => {
    return function (this: pg.Client, ...args: unknown[]): unknown {
      const [text, values] = readArguments(args);
      if (this.user === role) mine.look(text, values, () => wanted.get(text) ?? placesNow());
      return send.apply(this, args);
    };
  });
  return mine;
}

function replaceQuery(prototype: object, by: (send: Query) => Query): void {
  const has = prototype as { query: Query };
  has.query = by(has.query);
}

function readArguments([config, more]: readonly unknown[]): [text: string, values: readonly unknown[]] {
  const { text, values } = (typeof config === 'string' ? { text: config, values: more } : config) as {
    readonly text?: string;
    readonly values?: unknown;
  };
  return [text ?? '', Array.isArray(values) ? values : []];
}

function placesNow(): string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const lines = new Error().stack!.split('\n');
  Error.stackTraceLimit = stackTraceLimit;
  const places = lines.flatMap((line) => /(?:apps\/server|tools)\/[^:)]+\.ts:\d+/.exec(line)?.[0] ?? []);
  return places.filter((place) => !place.includes('test/statements/statement-watch.ts'));
}
