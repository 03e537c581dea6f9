// The program's side of a driver's process. It loads nothing but Node's own modules, so that a program starts quickly and
// stays one file when it is bundled.
export { findStrangeCompanion, strangeness } from './files/sqlite-files.ts';
export { Conversation, RequestFailure } from './process/conversation.ts';
export type { ProcessFailure, StatementRequest } from './process/requests.ts';
export { type LastAnswer, type OpenedProcess, runProcess } from './process/run-process.ts';
export { rowBytes, sendRows, wholeNumber } from './process/send-rows.ts';
