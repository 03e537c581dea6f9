import * as z from 'zod';

/** A text that says something. */
export const word = z
  .string({ error: ({ input }) => (input === undefined ? 'is missing' : undefined) })
  .trim()
  .min(1, 'is empty');

/** A text that may be empty or absent, as CSV and generous JSON have it; then undefined. */
export const optionalWord = z
  .union([z.string(), z.number().transform(String), z.null()])
  .optional()
  .transform((text) => {
    const trimmed = text?.trim();
    return trimmed === '' ? undefined : trimmed;
  });
