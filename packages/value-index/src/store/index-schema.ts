/** `application_id` of an index file: "AsVI". */
export const APPLICATION_ID = 0x41735649;

/** `user_version` of an index file; another one is another layout. */
export const FORMAT_VERSION = 1;

/**
 * The id of a value is the number of its attribute times this, plus its place there: values of an attribute are a range
 * of ids. So 2^26 values of each of 2^27 attributes have an id that a JavaScript number holds exactly.
 */
export const ID_RANGE = 2 ** 26;

/**
 * `attribute`: one row for each reading of an attribute; a new reading has a new number, so that what old numbers left
 * behind in `form` and `gram` means nothing. `form`: hashes of normalised forms, in sorted chunks as they were written.
 * `gram`: trigrams of the words of each value. `gram_count`: how many values have a trigram, at least.
 */
export const INDEX_SCHEMA = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE attribute (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  attribute TEXT NOT NULL,
  state TEXT NOT NULL,
  coverage TEXT NOT NULL,
  count INTEGER NOT NULL,
  embedded INTEGER NOT NULL DEFAULT 0,
  entry TEXT NOT NULL,
  limits TEXT NOT NULL,
  digest TEXT,
  row_count INTEGER,
  reason TEXT
);
CREATE INDEX attribute_id ON attribute (attribute);
CREATE TABLE value (id INTEGER PRIMARY KEY, cell TEXT NOT NULL);
CREATE TABLE form (chunk INTEGER, hash INTEGER, id INTEGER, PRIMARY KEY (chunk, hash, id)) WITHOUT ROWID;
CREATE VIRTUAL TABLE gram USING fts5 (words, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1');
CREATE TABLE gram_count (gram TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${FORMAT_VERSION};
`;

/** A row of `sqlite_schema`. */
export interface StoredObject {
  readonly type: string;
  readonly name: string;
  /** Null for what SQLite makes by itself. */
  readonly sql: string | null;
}

/** The statements of {@link INDEX_SCHEMA} as SQLite keeps them, by the name of what they create. */
export const INDEX_OBJECTS: ReadonlyMap<string, string> = new Map(
  INDEX_SCHEMA.split(';').flatMap((text) => {
    const sql = plain(text);
    const [, name] = /^CREATE (?:VIRTUAL )?(?:TABLE|INDEX) (\w+)/.exec(sql) ?? [];
    return name === undefined ? [] : [[name, sql] as const];
  }),
);

/** Older versions may have broken the same statement into other lines. */
function plain(sql: string): string {
  return sql.replace(/\s+/g, ' ').trim();
}

/** What the modules FTS5 and vec0 keep their rows in: plain tables. */
const SHADOW = /^(?:gram_(?:data|idx|content|docsize|config)|cell_vector_\w+)$/;

/** Whether an object is one of an index. */
export function isExpected({ type, name, sql }: StoredObject): boolean {
  const own = INDEX_OBJECTS.get(name);
  if (own !== undefined)
    return plain(sql ?? '') === own && type === (own.startsWith('CREATE INDEX') ? 'index' : 'table');
  if (sql === null) return type === 'index' && name.startsWith('sqlite_autoindex_');
  if (type !== 'table') return false;
  if (name === 'sqlite_sequence') return sql === 'CREATE TABLE sqlite_sequence(name,seq)';
  if (name === 'cell_vector')
    return /^CREATE VIRTUAL TABLE cell_vector USING vec0 \(attribute INTEGER PARTITION KEY, vector FLOAT\[\d{1,6}\] distance_metric=cosine\)$/.test(
      sql,
    );
  return SHADOW.test(name) && /^CREATE TABLE (?!.*\b(?:GENERATED|AS)\b)/is.test(sql);
}
