import { AskemaError } from '@askema/core';
import type { Store } from '../connection/store.ts';

/** Raised with every change of the tables below. */
const TABLES_VERSION = 1;

/** Any number: two processes that start on an empty database make the tables one after the other. */
const MIGRATION_LOCK = 7_303_014;

/** Does what makes tables while no other process does. */
export function oneAtATime<T>(store: Store, work: () => Promise<T>): Promise<T> {
  return store.exclusively(MIGRATION_LOCK, work);
}

/**
 * What DBOS has no place for: who lives, results of steps by path and key in any order, signals that come before their
 * job, journals of flows. Values are JSON in `text`, because `jsonb` takes no U+0000.
 */
const TABLES = `
CREATE TABLE IF NOT EXISTS {askema}.version (version integer NOT NULL);
CREATE TABLE IF NOT EXISTS {askema}.workers (
  id text PRIMARY KEY,
  runner text,
  version text,
  slots integer NOT NULL,
  dead_after_ms double precision NOT NULL,
  host text NOT NULL,
  process_id integer NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  beat_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE IF NOT EXISTS {askema}.results (
  runner text NOT NULL,
  hash text NOT NULL,
  path text NOT NULL,
  value text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (runner, hash)
);
CREATE TABLE IF NOT EXISTS {askema}.signals (
  runner text NOT NULL,
  job text NOT NULL,
  number integer NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (runner, job, number)
);
CREATE TABLE IF NOT EXISTS {askema}.runs (
  run text PRIMARY KEY,
  epoch bigint NOT NULL DEFAULT 0,
  holder text
);
CREATE TABLE IF NOT EXISTS {askema}.entries (
  run text NOT NULL,
  number bigint NOT NULL,
  entry text NOT NULL,
  PRIMARY KEY (run, number)
);`;

/** Makes our tables, or checks that they are there. Rejects with `CONFIG_INVALID` for tables of another version. */
export async function ensureTables(store: Store, migrate: boolean): Promise<void> {
  const known = await tablesVersion(store);
  if (known === TABLES_VERSION) return;
  if (known !== undefined && known > TABLES_VERSION) throw otherTables(store, known);
  if (!migrate) throw known === undefined ? noTables(store) : otherTables(store, known);
  await oneAtATime(store, () => makeTables(store));
}

function makeTables(store: Store): Promise<void> {
  return store.transaction(async (query) => {
    const [there] = await query<{ there: boolean }>('SELECT to_regnamespace($1) IS NOT NULL AS there', [store.schema]);
    if (there?.there !== true) await query('CREATE SCHEMA {askema}');
    for (const statement of TABLES.split(';').filter((text) => text.trim() !== '')) await query(statement);
    await query('DELETE FROM {askema}.version');
    await query('INSERT INTO {askema}.version VALUES ($1)', [TABLES_VERSION]);
  });
}

/** Undefined where there are no tables. */
async function tablesVersion(store: Store): Promise<number | undefined> {
  const [table] = await store.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
    `${store.schema}.version`,
  ]);
  if (table?.there !== true) return undefined;
  const [row] = await store.query<{ version: number }>('SELECT version FROM {askema}.version');
  return row?.version;
}

function noTables({ schema }: Store): AskemaError {
  return new AskemaError(
    'CONFIG_INVALID',
    `The database has no tables of @askema/dbos in the schema \`${schema}\`: run \`migrateDatabase({ connection })\` once as a user who may make them, or leave out \`migrate: false\`.`,
  );
}

function otherTables({ schema }: Store, known: number): AskemaError {
  const advice =
    known > TABLES_VERSION
      ? 'a newer @askema/dbos made them: install that version here'
      : 'an older @askema/dbos made them: run `migrateDatabase({ connection })` once';
  return new AskemaError(
    'CONFIG_INVALID',
    `The tables in the schema \`${schema}\` have version ${known}, and this @askema/dbos works with ${TABLES_VERSION}; ${advice}.`,
  );
}
