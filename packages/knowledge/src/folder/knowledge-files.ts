import { z } from 'zod';

/** `knowledge.yml`. */
export const SETTINGS = z.object({
  schema_version: z.literal(1),
  dialect: z.string().optional(),
  matching: z.enum(['exact', 'insensitive', 'contains']).optional(),
  time_zone: z.string().optional(),
  fiscal_year_start: z.int().min(1).max(12).optional(),
  week_start: z.enum(['monday', 'sunday']).optional(),
});

const texts = z.union([z.string(), z.array(z.string())]).optional();

/** Front matter of `sql/*.md`. */
export const QUERY_MATTER = z.object({
  nl: z.string().min(1),
  sql: z.string().min(1).optional(),
  source: z.string().optional(),
  tags: texts,
  verified_by: z.string().optional(),
  verified_at: z.string().optional(),
  onboarding: z.boolean().optional(),
  parameters: z
    .array(
      z.object({
        name: z.string().regex(/^[A-Za-z_]\w*$/, 'letters, digits and _ only'),
        type: z.enum(['text', 'number', 'date', 'boolean']),
        description: z.string().optional(),
        default: z.union([z.string(), z.number(), z.boolean()]).optional(),
      }),
    )
    .optional(),
  dialect: z.string().optional(),
  names: z.enum(['physical', 'logical']).optional(),
  expected: z.object({ columns: z.array(z.string()), rows: z.string().optional() }).optional(),
  owner: z.string().optional(),
});

/** Front matter of `rules`, `caveats`, `glossary` and `metrics`. */
export const TEXT_MATTER = z.object({
  applies_to: texts,
  priority: z.number().optional(),
  source: z.string().optional(),
  owner: z.string().optional(),
});

/** `checks.json`. */
export const CHECKS = z.object({
  schema_version: z.literal(1),
  fingerprint: z.string().optional(),
  entries: z.record(
    z.string(),
    z.object({
      sha256: z.string(),
      state: z.enum(['passed', 'failed']),
      at: z.string(),
      by: z.string(),
      reason: z.string().optional(),
    }),
  ),
});

/** A text or a list of texts as a list. */
export const listOf = (written: string | readonly string[] | undefined): readonly string[] =>
  written === undefined ? [] : [written].flat();
