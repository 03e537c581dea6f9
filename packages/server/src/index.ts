export { type AuditWho, audited } from './audit/audited.ts';
export { type FileAuditOptions, fileAudit } from './audit/file-audit.ts';
export { type AuditFilter, type AuditRecord, type ReadAuditOptions, readAudit } from './audit/read-audit.ts';
export { anyoneOnLoopback } from './caller/anyone-on-loopback.ts';
export { type JwtAlgorithm, type JwtAuthOptions, jwtAuth } from './caller/jwt-auth.ts';
export { type HashedKey, keyAuth } from './caller/key-auth.ts';
export * from './contract.ts';
export { scoped } from './databases/scoped.ts';
export { tenantFile } from './databases/tenant-file.ts';
<<<<<<< HEAD
export type { WorkKind } from './databases/watch-statements.ts';
export { type McpStdioOptions, serveMcpStdio } from './mcp/serve-stdio.ts';
=======
export { checkBind } from './security/loopback.ts';
>>>>>>> 4a38b622d692a14c598f27eeb9722b688b45a686
export { createServer } from './server.ts';
