import Database from 'better-sqlite3';

/** Makes a database file with the driver alone, and returns its path. */
export function makeDatabase(file: string, sql = ''): string {
  const database = new Database(file);
  database.exec(sql);
  // A file without a table has no page yet; a reader takes it for empty.
  if (sql === '') database.pragma('user_version = 1');
  database.close();
  return file;
}
