/** The code of an error of SQLite (`SQLITE_BUSY`, …); undefined for every other error. */
export function sqliteCode(thrown: unknown): string | undefined {
  const code = thrown instanceof Error ? (thrown as { readonly code?: unknown }).code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}
