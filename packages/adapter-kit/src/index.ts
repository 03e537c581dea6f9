export { dialectServices } from '@askema/grounding';

export {
  type DocumentColumn,
  type DocumentReading,
  documentFields,
  withDocumentFields,
} from './catalog/document-fields.ts';
export { gatherRows, groupRows } from './catalog/group-rows.ts';
export { remember } from './catalog/remember.ts';
export { type RowCounting, withRowCounts } from './catalog/row-counts.ts';
export type { JsonKind } from './catalog/scan-json.ts';
export { type ViewText, viewsThatCall } from './catalog/views-that-call.ts';
export { brokenOffError, type ConnectFailure, connectError, type Remedy, unavailable } from './errors/connect-error.ts';
export { isAboutNames, type KnownNames, rememberNames } from './errors/known-names.ts';
export { offsetOfName } from './errors/offset-of-name.ts';
export { offsetOfByte, offsetOfCharacter } from './errors/offsets.ts';
export { type FailureKind, type ServerFailure, serverFailureError } from './errors/server-failure.ts';
export { hasEnding, listFiles, missingFileError, resolveLocalPath, unreadableFileError } from './files/local-files.ts';
export { type PoolOptions, type ResolvedPoolOptions, resolvePoolOptions } from './options/pool-options.ts';
export {
  type Password,
  type ResolvedServerOptions,
  readServerAddress,
  resolveServerOptions,
  type ServerAddress,
  type ServerOptions,
} from './options/server-address.ts';
export { createProcessClient, type ProcessClient } from './processes/process-client.ts';
export { processFailureError } from './processes/process-failure.ts';
export { createProcessPool, type Lease, type ProcessPool, type ProcessPoolOptions } from './processes/process-pool.ts';
export { statementRequest } from './processes/statement-request.ts';
export { type Connection, type ConnectionHandle, watchConnection } from './sessions/connection.ts';
export { type OpenCall, runCall, type SessionCall, streamCall } from './sessions/session-call.ts';
export {
  createSessionPool,
  type PooledSession,
  type SessionPool,
  type SessionPoolOptions,
} from './sessions/session-pool.ts';
export { type ChangeOptions, changeEvents } from './statements/change-events.ts';
export { planVerdict } from './statements/plan-verdict.ts';
export { quoteValue } from './statements/quote-value.ts';
export { readDigits } from './statements/read-digits.ts';
export { notReadOnlyError, prepareGuarded, refuseText, type TextRules } from './statements/refuse-text.ts';
export { type ResultOptions, resultEvents } from './statements/result-events.ts';
export { createRowStream, type RowStream } from './statements/row-stream.ts';
