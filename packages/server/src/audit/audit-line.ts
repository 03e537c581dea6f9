import { z } from 'zod';

const SHARED = { v: z.literal(1), at: z.iso.datetime(), id: z.string() };

/** The line before a statement. */
const BEFORE = z.object({
  ...SHARED,
  phase: z.literal('before'),
  requestId: z.string(),
  subject: z.string(),
  tenant: z.string().optional(),
  role: z.string().optional(),
  database: z.string().optional(),
  route: z.string(),
  kind: z.enum(['statement', 'plan', 'catalog', 'sample', 'diagnosis', 'design']),
  question: z.string().optional(),
  sql: z.string().optional(),
});

/** The line after it. */
const AFTER = z.object({
  ...SHARED,
  phase: z.literal('after'),
  outcome: z.enum(['done', 'refused', 'failed', 'cancelled']),
  code: z.string().optional(),
  rows: z.number(),
  bytes: z.number().optional(),
  elapsedMs: z.number(),
});

const LINE = z.discriminatedUnion('phase', [BEFORE, AFTER]);
export type AuditLine = z.infer<typeof LINE>;

/** What a line says; undefined for one that was not written whole. */
export function parseAuditLine(text: string): AuditLine | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  return LINE.safeParse(json).data;
}
