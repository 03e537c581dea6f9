import { connectionError } from '../connection/connection-error.ts';
import { loadDbos } from '../connection/load-drivers.ts';
import { openStore, type Store } from '../connection/store.ts';
import { ensureTables } from './ensure-tables.ts';

/** What `migrateDatabase` takes. */
export interface MigrateDatabaseOptions {
  /** As a user who may make schemas: `postgres://owner:password@host:port/database`. */
  readonly connection: string;
  /** The user of the runners: is granted what they need, and no more. */
  readonly role?: string | undefined;
  /** Default: `askema`. */
  readonly schema?: string | undefined;
  /** Default: `dbos`. */
  readonly dbosSchema?: string | undefined;
}

/**
 * Makes the tables that `dbosRunner` and `postgresJournal` work with, so that they can run as a user who must not.
 * Again after an update of the package.
 *
 * @throws AskemaError as `dbosRunner` does.
 */
export async function migrateDatabase(options: MigrateDatabaseOptions): Promise<void> {
  const store = await openStore({
    connection: options.connection,
    schema: options.schema ?? 'askema',
    dbosSchema: options.dbosSchema ?? 'dbos',
  });
  try {
    await ensureTables(store, true);
    await migrateDbos(store, options.role);
    if (options.role === undefined) return;
    const role = `"${options.role.replaceAll('"', '""')}"`;
    await store.query(`GRANT USAGE ON SCHEMA {askema} TO ${role}`);
    await store.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {askema} TO ${role}`);
  } finally {
    await store.close();
  }
}

/** The tables of DBOS, by its own migrations. */
async function migrateDbos(store: Store, role?: string | undefined): Promise<void> {
  const { DBOS } = await loadDbos();
  try {
    await DBOS.migrate(store.connection, {
      schemaName: store.dbosSchema,
      ...(role === undefined ? {} : { applicationRole: role }),
    });
  } catch (thrown) {
    throw connectionError(thrown, 'Making the tables of DBOS', store.connection);
  }
}
