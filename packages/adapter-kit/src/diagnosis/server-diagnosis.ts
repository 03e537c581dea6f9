import type { Access, DiagnosisFinding, ReadOnlyStanding } from '@askema/core';

/** What was seen of a connection to a server. */
interface ServerLook {
  /** Who is connected. */
  readonly user: string;
  /** Whoever asks as this user can only read. */
  readonly mayOnlyRead: boolean;
  /** Tables that it may read. */
  readonly readable: number;
  readonly encrypted: boolean;
}

/** @param byEngine what keeps a user who may do more from writing, as sentences. */
export function serverStanding(
  { user, mayOnlyRead }: Pick<ServerLook, 'user' | 'mayOnlyRead'>,
  access: Access,
  byEngine: string,
): ReadOnlyStanding {
  if (access === 'write') return { by: 'nothing', explanation: 'The adapter was opened for writing.' };
  if (!mayOnlyRead) return { by: 'engine', explanation: byEngine };
  const explanation = `${user} may only read; each call is a read-only transaction besides.`;
  return { by: 'grants', explanation };
}

/** A finding that should be mended. @param fix SQL or words to copy. */
export function warning(code: string, message: string, fix: string | undefined): DiagnosisFinding {
  return { severity: 'warning', code, message, fix };
}

/** What is worth mending of any server: nothing to read, and a connection over a network without encryption. */
export function serverFindings(
  { user, readable, encrypted }: Pick<ServerLook, 'user' | 'readable' | 'encrypted'>,
  host: string,
  fixes: { readonly reading: string; readonly encryption: string },
): DiagnosisFinding[] {
  const findings: DiagnosisFinding[] = [];
  if (readable === 0)
    findings.push({
      severity: 'error',
      code: 'nothing-to-read',
      message: `${user} may not read any table here.`,
      fix: fixes.reading,
    });
  if (!encrypted && !isLocal(host))
    findings.push(warning('not-encrypted', 'The connection is not encrypted.', fixes.encryption));
  return findings;
}

function isLocal(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host.startsWith('127.') || host === '::1';
}
