export { dialectServices } from '@askema/grounding';

export { documentFields, withDocumentFields } from './catalog/document-fields.ts';
export { foreignKeysOf, gatherRows, groupRows, keysOf } from './catalog/group-rows.ts';
export { remember, rememberEach } from './catalog/remember.ts';
export { withRowCounts } from './catalog/row-counts.ts';
export type { JsonKind } from './catalog/scan-json.ts';
export { type FindView, viewsBehind } from './catalog/views-behind.ts';
export { type CallingView, findCallingView, viewsThatCall } from './catalog/views-that-call.ts';
export { serverFindings, serverStanding, warning } from './diagnosis/server-diagnosis.ts';
export { connectError, misconfigured, type Remedy, TOO_MANY_CONNECTIONS, unavailable } from './errors/connect-error.ts';
export { offsetOfComplaint, offsetOfName } from './errors/offset-of-name.ts';
export { offsetOfByte, offsetOfCharacter } from './errors/offsets.ts';
export { explainServerErrors, roleRefused, type ServerComplaint } from './errors/server-errors.ts';
export { fileStamp } from './files/file-stamp.ts';
export { hasEnding, listFiles, missingFileError, resolveLocalPath, unreadableFileError } from './files/local-files.ts';
export { addressOptions, type ServerVariables } from './options/address-options.ts';
export { type PoolOptions, type ResolvedPoolOptions, resolvePoolOptions } from './options/pool-options.ts';
export {
  checkAllowFunctions,
  type Password,
  type ResolvedServerOptions,
  readServerAddress,
  resolveServerOptions,
  type ServerOptions,
} from './options/server-address.ts';
export { createProcessClient, type ProcessClient } from './processes/process-client.ts';
export { processFailureError } from './processes/process-failure.ts';
export { createProcessPool, type ProcessPool } from './processes/process-pool.ts';
export { statementRequest } from './processes/statement-request.ts';
export { ownScopes } from './servers/own-scopes.ts';
export { createServerDatabase, type ServerDatabase } from './servers/server-database.ts';
export { type ServerAdapterSpec, serverSpec } from './servers/server-spec.ts';
export { type Connection, watchConnection } from './sessions/connection.ts';
export { type OpenCall, runCall, type SessionCall, serverDeadlineMs, streamCall } from './sessions/session-call.ts';
export { createSessionPool, type SessionPool } from './sessions/session-pool.ts';
export { changeEvents } from './statements/change-events.ts';
export { executorOf } from './statements/executor-of.ts';
export { plannerOf } from './statements/planner-of.ts';
export { positionalParameters } from './statements/positional-parameters.ts';
export { quoteValue } from './statements/quote-value.ts';
export { readDigits } from './statements/read-digits.ts';
export { firstWordOf, notReadOnlyError, prepareGuarded, refuseText } from './statements/refuse-text.ts';
export { resultEvents } from './statements/result-events.ts';
export { createRowStream, type RowStream } from './statements/row-stream.ts';
export { shortFloat } from './statements/short-float.ts';
export { nestedTooDeep, throwIfTooDeep } from './statements/too-deep.ts';
export { type FunctionList, type UnlistedCall, unlistedCalls } from './statements/unlisted-calls.ts';
