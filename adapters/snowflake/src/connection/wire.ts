/** A column as the server describes it. */
export interface WireColumn {
  readonly name: string;
  /** `fixed`, `real`, `text`, `timestamp_ntz`, …, in lower case. */
  readonly type: string;
  readonly precision?: number | null | undefined;
  readonly scale?: number | null | undefined;
  readonly length?: number | null | undefined;
  readonly database?: string | null | undefined;
  readonly schema?: string | null | undefined;
  readonly table?: string | null | undefined;
  readonly vectorDimension?: number | null | undefined;
  readonly fields?: readonly WireColumn[] | null | undefined;
}

/** What the server said of a statement's result. */
export interface WireResult {
  readonly columns: readonly WireColumn[];
  /** Rows of each piece of the result, in order: those that came with the answer (if any), then the chunks. */
  readonly pieces: readonly number[];
  readonly queryId?: string | undefined;
  readonly statementTypeId?: number | undefined;
}

/** What the server said at login. */
export interface WireLogin {
  readonly serverVersion?: string | undefined;
  readonly sessionInfo?:
    | {
        readonly databaseName?: string | null | undefined;
        readonly schemaName?: string | null | undefined;
        readonly warehouseName?: string | null | undefined;
        readonly roleName?: string | null | undefined;
      }
    | undefined;
  readonly token?: string | undefined;
  readonly masterToken?: string | undefined;
}

type Body = Record<string, unknown> & { data?: (Record<string, unknown> & WireLogin) | null };

/**
 * Reads an answer to a statement, and makes of every column a text for the driver, so that cells arrive as they stood on the wire:
 * the driver's own conversions lose digits, depend on the zone of the machine and of the session, and evaluate text as JavaScript where JSON
 * does not parse. Undefined when the answer is no result (an error, still in progress).
 */
export function takeResult(body: unknown): WireResult | undefined {
  if (!isRecord(body) || body.success !== true) return undefined;
  const { data, code } = body as Body;
  if (!isRecord(data) || code === '333333' || code === '333334') return undefined;
  if (!Array.isArray(data.rowtype)) return undefined;
  const chunks = Array.isArray(data.chunks) ? (data.chunks as readonly { readonly rowCount?: unknown }[]) : [];
  if (!Array.isArray(data.rowset)) {
    const counted = typeof data.returned === 'number' ? data.returned : 0;
    const problem =
      typeof data.rowsetBase64 === 'string' && data.rowsetBase64 !== ''
        ? 'The server sent its rows in the Arrow format, which snowflake-sdk does not read.'
        : 'The server sent a result without its rows.';
    if (chunks.length === 0 && counted > 0) return fail(body as Body, problem);
    data.rowset = [];
  }
  const inline = (data.rowset as readonly unknown[]).length;
  const pieces = [...(inline > 0 ? [inline] : []), ...chunks.map(({ rowCount }) => Number(rowCount) || 0)];
  // Without a count the driver waits for rows for ever.
  data.returned = pieces.reduce((sum, count) => sum + count, 0);
  const columns = (data.rowtype as readonly WireColumn[]).map((column) => ({ ...column }));
  // Rows are read by position; by some names (`__proto__`) the driver breaks.
  data.rowtype = columns.map((_, index) => ({ name: `c${index}`, type: 'text' }));
  return {
    columns,
    pieces,
    queryId: textOf(data.queryId),
    statementTypeId: typeof data.statementTypeId === 'number' ? data.statementTypeId : undefined,
  };
}

/** What a successful login says; undefined for anything else. */
export function takeLogin(body: unknown): WireLogin | undefined {
  if (!isRecord(body) || body.success !== true || !isRecord(body.data)) return undefined;
  return body.data as WireLogin;
}

/** True where the server says that the statement still runs. */
export function isInProgress(body: unknown): boolean {
  return isRecord(body) && (body.code === '333333' || body.code === '333334');
}

function fail(body: Body, message: string): undefined {
  body.success = false;
  body.code = '401002';
  body.message = message;
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
