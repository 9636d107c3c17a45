import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import { afterAll, beforeAll, inject } from 'vitest';
import { connect, LONG } from '../src/db/database.ts';
import type { Database } from '../src/db/database.ts';
import { createEmptyDatabase } from './test-databases.ts';

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** Gives the tests of a file a database as the release before a migration (`0006`) left it, and the address of its owner. */
export function onDatabaseBefore(migration: string, give: (db: Database, ownerUrl: string) => void): void {
  let end: () => Promise<void>;
  beforeAll(async () => {
    const database = await createEmptyDatabase(inject('cluster'));
    const before = (await readdir(MIGRATIONS)).filter((name) => name < migration).length;
    await runner({
      databaseUrl: database.ownerUrl,
      dir: MIGRATIONS,
      direction: 'up',
      count: before,
      migrationsTable: 'migrations',
      log: () => {},
    });
    const db = connect(database.ownerUrl, { onError: () => {}, poolSize: 2, patience: LONG });
    end = async () => {
      await db.close();
      await database.drop();
    };
    give(db, database.ownerUrl);
  });
  afterAll(() => end());
}

/** A game and the terms of its draws, as migrations 0006 to 0014 have them. */
export const ONE_GAME = `
  insert into games (unit_price, id, digits, release_date, labelled, game_key, name, family, status, result_mode, description, publisher)
    values (100, gen_random_uuid(), 10, now(), false, 'g', 'g', 'numbers', 'active', 'open', '', '');
  insert into draw_terms (id, rules_version, unit_price, pays, weights) values (gen_random_uuid(), 1, 100, '{}', '[]');`;
