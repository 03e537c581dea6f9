import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type FileAuditOptions, fileAudit } from '../audit/file-audit.ts';
import { type AuditRecord, type ReadAuditOptions, readAudit } from '../audit/read-audit.ts';
import type { AuditLog } from '../contract.ts';

/** Who asks in tests of the audit log. */
export const WHO = { requestId: 'r1', subject: 'ada', tenant: 'acme', database: 'shop', route: 'POST /sql' };

/** A folder that is empty before each test of the file, and removed after it; its logs are closed before that. */
export function auditFolder() {
  const folder = join(tmpdir(), `askema-audit-${randomUUID()}`);
  const file = join(folder, 'audit.jsonl');
  const logs: AuditLog[] = [];
  beforeEach(async () => {
    await mkdir(folder, { mode: 0o700 });
  });
  afterEach(async () => {
    await Promise.all(logs.splice(0).map((log) => log.close?.()));
    await rm(folder, { recursive: true });
  });
  return {
    folder,
    file,
    auditTo(options: FileAuditOptions): AuditLog {
      const log = fileAudit(options);
      logs.push(log);
      return log;
    },
    async records(options?: ReadAuditOptions): Promise<AuditRecord[]> {
      const all: AuditRecord[] = [];
      for await (const record of readAudit(file, options)) all.push(record);
      return all;
    },
  };
}
